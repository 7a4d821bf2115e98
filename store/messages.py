"""Messages as they are stored."""

from reverie.store.commit import Transaction
from reverie.store.keys import encode
from reverie.store.records.conversation import MessageRecord


def change_people(transaction: Transaction, message: MessageRecord) -> None:
    """Make a write say in a message's search row, if it has one, whom the message is from and to as its record does."""
    people = ",".join(encode(one) for one in dict.fromkeys([message.sender, *message.addressed_to]))
    transaction.change_row(message.kind, message.id, "p", people)
