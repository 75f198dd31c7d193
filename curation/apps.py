from django.apps import AppConfig

from corpus.curated_port import register_indexer, register_questioner, register_receiver, register_translator


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = "Curation"

    def ready(self) -> None:
        from curation.entries import connect_history, queue_jobs  # after the models are loaded
        from curation.library.receiving import receive_entry
        from curation.matching.indexing import entries_index
        from curation.matching.lecture_questions import questions_about
        from curation.translations.selectors import lecture_texts

        connect_history()
        register_receiver(receive_entry, queue_jobs)
        register_indexer(entries_index)
        register_translator(lecture_texts)
        register_questioner(questions_about)
