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
        "hi": "यहाँ इन स्रोतों में केवल अंग्रेज़ी में खोजा जा सकता है। कृपया अंग्रेज़ी में पूछें, या श्लोक की संख्या लिखें, जैसे BG 2.13।",
        "es": "Por ahora estas fuentes solo se pueden consultar en inglés. Pregunte en inglés o indique un verso, por "
        "ejemplo BG 2.13.",
        "fr": "Pour le moment, ces sources ne se consultent qu’en anglais. Posez votre question en anglais ou indiquez "
        "un verset, par exemple BG 2.13.",
        "ar": "لا يمكن البحث في هذه المصادر هنا إلا باللغة الإنجليزية. "
        "اطرح سؤالك بالإنجليزية، أو اكتب رقم الآية مثل BG 2.13.",
        "bn": "এখানে এই উৎসগুলিতে কেবল ইংরেজিতে খোঁজা যায়। অনুগ্রহ করে ইংরেজিতে প্রশ্ন করুন, অথবা শ্লোকের সংখ্যা লিখুন, যেমন BG 2.13।",
        "pt": "Por enquanto estas fontes só podem ser consultadas em inglês. Pergunte em inglês ou indique um verso, "
        "por exemplo BG 2.13.",
        "ru": "Пока в этих источниках можно искать только на английском языке. Задайте вопрос по-английски или укажите "
        "номер стиха, например BG 2.13.",
        "ur": "یہاں ان ماخذوں میں صرف انگریزی میں تلاش کیا جا سکتا ہے۔ "
        "براہ کرم انگریزی میں پوچھیں، یا اشلوک کا نمبر لکھیں، جیسے BG 2.13۔",
        "id": "Untuk saat ini sumber-sumber ini hanya dapat dicari dalam bahasa Inggris. Silakan bertanya dalam bahasa "
        "Inggris, atau tulis nomor ayat, misalnya BG 2.13.",
        "de": "Diese Quellen lassen sich hier nur auf Englisch durchsuchen. Bitte fragen Sie auf Englisch, oder nennen "
        "Sie eine Versstelle wie BG 2.13.",
    }
)
# How each language names itself and is named in English, for the line that shows original and translation.
LANGUAGE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "en": "English", "zh": "Chinese", "hi": "Hindi", "es": "Spanish", "fr": "French", "ar": "Arabic",
        "bn": "Bengali", "pt": "Portuguese", "ru": "Russian", "ur": "Urdu", "id": "Indonesian", "de": "German",
        "it": "Italian", "nl": "Dutch", "ja": "Japanese", "ko": "Korean",
    }
)  # fmt: skip


def only_english(language: str) -> tuple[str, str]:
    """Return the message in this language and the language it is in: English where the catalogue has no other."""
    known = language if language in ONLY_ENGLISH else "en"
    return ONLY_ENGLISH[known], known
