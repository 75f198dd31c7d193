"""What a reader is told in their own language. The catalogue of the twelve most spoken languages.

Short, plain sentences without placeholders, so that a translation needs no grammar. English is the fallback.
"""

from collections.abc import Mapping
from types import MappingProxyType

# These sources can be searched only in English here; ask in English, or by a verse address.
ONLY_ENGLISH: Mapping[str, str] = MappingProxyType(
    {
        "en": "These sources can be searched only in English here. Please ask in English, or give a verse address "
        "such as BG 2.13.",
        "zh": "这里的资料目前只能用英语检索。请用英语提问，或输入诗节编号，例如 BG 2.13。",
        "hi": "इन स्रोतों में फ़िलहाल केवल अंग्रेज़ी में खोज की जा सकती है। कृपया अंग्रेज़ी में पूछें, या श्लोक संख्या लिखें, जैसे BG 2.13।",
        "es": "Por ahora estas fuentes solo se pueden consultar en inglés. Pregunte en inglés o indique la referencia "
        "de un verso, por ejemplo BG 2.13.",
        "fr": "Pour le moment, on ne peut chercher dans ces sources qu’en anglais. Posez votre question en anglais ou "
        "indiquez la référence d’un verset, par exemple BG 2.13.",
        "ar": "لا يمكن البحث في هذه المصادر هنا إلا باللغة الإنجليزية. "
        "يُرجى طرح سؤالك بالإنجليزية، أو كتابة رقم الآية، مثل BG 2.13.",
        "bn": "আপাতত এই উৎসগুলিতে কেবল ইংরেজিতে খোঁজা যায়। অনুগ্রহ করে ইংরেজিতে প্রশ্ন করুন, অথবা শ্লোকের নম্বর লিখুন, যেমন BG 2.13।",
        "pt": "Por enquanto, estas fontes só podem ser consultadas em inglês. Pergunte em inglês ou indique a "
        "referência de um verso, por exemplo BG 2.13.",
        "ru": "Пока в этих источниках можно искать только на английском языке. Задайте вопрос по-английски или укажите "
        "номер стиха, например BG 2.13.",
        "ur": "ان مآخذ میں فی الحال صرف انگریزی میں تلاش کی جا سکتی ہے۔ "
        "براہِ کرم انگریزی میں پوچھیں، یا اشلوک کا نمبر لکھیں، جیسے BG 2.13۔",
        "id": "Untuk saat ini, pencarian dalam sumber-sumber ini hanya dapat dilakukan dalam bahasa Inggris. Silakan "
        "bertanya dalam bahasa Inggris, atau tulis nomor ayat, misalnya BG 2.13.",
        "de": "Diese Quellen lassen sich hier nur auf Englisch durchsuchen. Bitte fragen Sie auf Englisch, oder nennen "
        "Sie eine Versstelle wie BG 2.13.",
    }
)
# Stands behind editors' words that a model translated and nobody has reviewed.
TRANSLATED_BY_MACHINE: Mapping[str, str] = MappingProxyType(
    {
        "en": "translated by machine", "zh": "机器翻译", "hi": "मशीनी अनुवाद", "es": "traducción automática",
        "fr": "traduction automatique", "ar": "ترجمة آلية", "bn": "যান্ত্রিক অনুবাদ", "pt": "tradução automática",
        "ru": "машинный перевод", "ur": "مشینی ترجمہ", "id": "terjemahan mesin", "de": "maschinell übersetzt",
        "it": "traduzione automatica", "nl": "automatisch vertaald", "ja": "機械翻訳", "ko": "기계 번역",
    }
)  # fmt: skip


def only_english(language: str) -> tuple[str, str]:
    """Return the message in this language and the language it is in: English where the catalogue has no other."""
    known = language if language in ONLY_ENGLISH else "en"
    return ONLY_ENGLISH[known], known


def translated_by_machine(text: str, language: str) -> str:
    """Editors' words that a model translated, marked as such."""
    return f"{text} ({TRANSLATED_BY_MACHINE.get(language.partition('-')[0], TRANSLATED_BY_MACHINE['en'])})"
