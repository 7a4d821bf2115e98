"""What came out of the memory is not learned again."""

from reverie.knowledge.quotation import FENCE_CLOSE, FENCE_OPEN, own_words


def test_a_fenced_block_is_left_out_wherever_it_stands() -> None:
    text = f"Before.\n{FENCE_OPEN}\n- Ben lives in Rome.\n{FENCE_CLOSE}\nAfter. {FENCE_OPEN} again {FENCE_CLOSE} End."
    assert own_words(text).split() == ["Before.", "After.", "End."]


def test_a_fence_that_is_never_closed_hides_the_rest() -> None:
    assert own_words(f"Before. {FENCE_OPEN} - Ben lives in Rome.").strip() == "Before."


def test_recalled_items_are_left_out_word_for_word_only() -> None:
    text = "You said:  ben lives\nin Rome. That is right. Ben lives in Rimini."
    assert own_words(text, ["Ben lives in Rome."]) == "You said:  \n That is right. Ben lives in Rimini."
    assert own_words("Yes", ["Yes"]) == "Yes"
