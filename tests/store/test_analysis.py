"""What a text is found by."""

import pytest

from reverie.store.analysis import keywords


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("müde", ["mude"]),
        ("l'été", ["lete", "l", "ete"]),
        ("Straße Ørsted", ["strass", "orst"]),
        ("हिन्दी", ["हिनदी"]),
        ("शब्द।", ["शबद"]),
        ("می‌خواهم", ["میخواهم", "می", "خواهم"]),
        ("C++ or C#/C", ["cplusplus", "c", "or", "csharp", "c", "c"]),
        ("C++17", ["c17", "c", "17"]),
        ("HTTPServer2Go", ["httpserver2go", "http", "server", "2", "go"]),
    ],
)
def test_words_are_whole_and_written_plain(text: str, found: list[str]) -> None:
    assert keywords(text) == found


def test_a_particle_hides_no_korean_word() -> None:
    assert set(keywords("커피", asked=True)) <= set(keywords("커피를 마셨어요"))


def test_a_word_without_end_is_one_short_keyword() -> None:
    assert [len(keyword) for keyword in keywords("a" * 500_000)] == [128]
