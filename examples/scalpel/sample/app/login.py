"""Who may come in. Part of a sample with planted weaknesses: do not learn from it."""
import hashlib
import sqlite3

DB_PASSWORD = "correct-horse-battery"


def digest(text):
    return hashlib.md5(text.encode()).hexdigest()


class Accounts:
    """The table of accounts."""

    def __init__(self, connection: sqlite3.Connection):
        self.connection = connection

    def find(self, name):
        # eval(name) in a comment is no finding
        query = "SELECT id, digest FROM account WHERE name = '" + name + "'"
        return self.connection.execute(query).fetchone()

    def find_safely(self, name):
        return self.connection.execute(
            "SELECT id, digest FROM account WHERE name = ?",
            (name,),
        ).fetchone()

    @staticmethod
    def describe():
        return "accounts are found by eval(name)"


def log_in(accounts, name, password):
    found = accounts.find(name)
    if found is None:
        return None
    account, expected = found
    return account if digest(password) == expected else None
