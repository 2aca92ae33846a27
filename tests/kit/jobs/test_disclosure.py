"""What the log says of a fault: enough to find it, nothing to sign in with."""

import pytest

from ingot.kit.jobs.disclosure import account_of, disclosed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "PUT https://user:pw@store.example.com/b/x?X-Amz-Signature=abc failed",
            "PUT https://store.example.com/… failed",
        ),
        ("cannot reach http://10.0.0.1:9000/bucket", "cannot reach http://10.0.0.1:9000/…"),
        ("secret_access_key='AKIA/xyz'", "secret_access_key=…"),
        ('{"Authorization": "Bearer glpat-abc"}', '{"Authorization": …}'),
        ("private_token: glpat-abc, id: 3", "private_token: …, id: 3"),
        ("line 4 is not JSON", "line 4 is not JSON"),
    ],
)
def test_credentials_are_left_out(text: str, shown: str) -> None:
    assert disclosed(text) == shown


def test_the_account_names_types_places_and_causes() -> None:
    def fail() -> None:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise ValueError("token=abc") from error

    with pytest.raises(ValueError, match="token") as raised:
        fail()
    account = account_of(raised.value)

    assert account.startswith("ValueError: token=…\n")
    assert "caused by KeyError: 'inner'" in account
    assert "in fail" in account
    assert "token=abc\n" not in account.replace('raise ValueError("token=abc")', "")
