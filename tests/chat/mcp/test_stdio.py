import pytest
from django.core.management import CommandError, call_command


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "said"), [(["--user", "nobody"], "no open account named 'nobody'"), ([], "LECTORIUM_MCP_TOKEN")]
)
def test_stdio_without_a_valid_account_ends_with_one_sentence(arguments, said):
    with pytest.raises(CommandError, match=said):
        call_command("mcp", *arguments)
