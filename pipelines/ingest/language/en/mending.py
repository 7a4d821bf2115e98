"""Faults that the parser makes again and again, mended by the order of the words.

"Anna lives in Rome and Paul moved"      Paul is the subject of "moved", and not one more place
    "Eva teaches Greek and lives in Rome"    "lives" is a verb
    "Tove, my wife's sister, flies"          Tove flies, and not the sister of somebody unnamed
"""

from __future__ import annotations

import re

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

_FINITE = ("VBD", "VBZ", "VBP")


_LONG_NUMBER = re.compile(r"(?<![\w.,])\+?\d{2,}(?: \d{2,}){2,}(?![\w.,:]\d)")
"""Groups of digits that are one number, of a phone or an account."""


@Language.component("reverie_long_numbers")
def long_numbers(doc: Doc) -> Doc:
    """Make one word of a number that is written in groups."""
    spans = [doc.char_span(*match.span()) for match in _LONG_NUMBER.finditer(doc.text)]
    with doc.retokenize() as retokenizer:
        for span in spans:
            if span is not None:
                retokenizer.merge(span)
    return doc


@Language.component("reverie_mended")
def mended(doc: Doc) -> Doc:
    """Give a joined verb the name right before it as its subject, where the parser joined the name elsewhere."""
    for token in doc:
        if _is_joined_verb(token):
            token.tag_, token.pos_ = "VBZ", "VERB"
    for sent in doc.sents:
        _give_apposition_back(sent)
    for verb in doc:
        name = _robbed_of(verb)
        if name is not None:
            joint = doc[name.left_edge.i - 1]
            name.head = verb
            name.dep_ = "nsubj"
            joint.head = verb.head
    return doc


def _give_apposition_back(sent: Span) -> None:
    """ "Tove, my wife's sister, flies": Tove flies; what stands between the commas only says who she is."""
    name = sent[0]
    verb = name.head
    if len(sent) < 6 or name.pos_ != "PROPN" or sent[1].text != "," or verb.i <= name.i or verb.tag_ not in _FINITE:
        return
    between = next((child for child in verb.children if child.dep_ == "nsubj"), None)
    if between is None or between == name or between.left_edge.i != name.i + 2 or name.dep_ == "nsubj":
        return
    if between.left_edge.tag_ not in ("PRP$", "DT", "NNP") or verb.nbor(-1).text != ",":
        return
    between.head = name
    between.dep_ = "appos"
    name.dep_ = "nsubj"


def _is_joined_verb(token: Token) -> bool:
    """ "Teaches Greek and lives in Rome": a noun, as the tagger has it, that is joined to a verb."""
    if token.dep_ != "conj" or token.tag_ != "NNS" or token.head.tag_ != "VBZ" or token.i + 1 >= len(token.doc):
        return False
    return token.nbor(-1).dep_ == "cc" and token.nbor(1).tag_ in ("IN", "DT", "PRP$", "RB")


def _robbed_of(verb: Token) -> Token | None:
    if verb.dep_ != "conj" or verb.tag_ not in _FINITE or verb.i < 2 or verb.pos_ not in ("VERB", "AUX"):
        return None
    if any(child.dep_ in ("nsubj", "nsubjpass", "aux", "auxpass", "expl") for child in verb.children):
        return None
    name = verb.doc[verb.i - 1]
    joint = verb.doc[name.left_edge.i - 1] if name.left_edge.i > 0 else name
    fits = name.dep_ == "conj" and name.pos_ in ("PROPN", "NOUN", "PRON") and name.right_edge == name
    if not fits or joint.dep_ != "cc" or verb in name.subtree or name.head.i >= name.i:
        return None
    return name
