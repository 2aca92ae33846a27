"""Templates are laid out like code, and their breaks and indentation show nothing."""

import pytest
from jinja2 import Environment

from ingot.web.rendering import environment
from ingot.web.template_lines import TemplateLines

LONGEST = 200


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("<ul>\n  <li>\n    one\n  </li>\n</ul>\n", "<ul><li>one</li></ul>"),
        ("<p>\n  two\n  words\n</p>", "<p>two words</p>"),
        ("<b>one</b>\n<i>two</i>", "<b>one</b><i>two</i>"),
        ("<b>one</b> <i>two</i>", "<b>one</b> <i>two</i>"),
        ("{% if 1 %}\n  {{ 2 }}\n{% endif %}\n{{ 3 }}", "23"),
        ("by {{ 1 }}\n  and more", "by 1and more"),
        ('<a href="/x"\n    class="y">z</a>', '<a href="/x" class="y">z</a>'),
        ('<a href="/x"\n    {% if 1 %} hidden{% endif %}>z</a>', '<a href="/x"  hidden>z</a>'),
        ('<a {{ "href" }}\n    class="y"\n    >z</a>', '<a href class="y" >z</a>'),
        ('<a\n    title="{{ 2 if 3 > 2 else\n    1 > 2 }}"\n    id="y">z</a>', '<a title="2" id="y">z</a>'),
        ("{{ [1,\n    2,\n    3]|length }}\n words", "3words"),
        ("<p>\n\n  one\n\n  two\n</p>", "<p>one two</p>"),
        ("<pre>\n  kept\n  {{ 1 }}\n</pre>\n<p>", "<pre>\n  kept\n  1\n</pre><p>"),
        ('<textarea rows="2">\n{{ 1 }}</textarea>\n<p>', '<textarea rows="2">\n1</textarea><p>'),
        ("<prefix>\n<p>", "<prefix><p>"),
    ],
)
def test_breaks_beside_tags_count_for_nothing(source: str, shown: str) -> None:
    assert Environment(extensions=[TemplateLines], autoescape=True).from_string(source).render() == shown


def test_faults_name_their_line() -> None:
    template = Environment(extensions=[TemplateLines], autoescape=True).from_string(
        "<p>\n  <b>\n    {{ 1 / 0 }}\n  </b>\n</p>"
    )

    with pytest.raises(ZeroDivisionError) as raised:
        template.render()

    assert raised.traceback[-1].lineno + 1 == 3


def test_templates_are_laid_out_in_lines() -> None:
    env = environment()
    long_lines = [
        f"{name}:{number} has {len(line)} characters"
        for name in env.list_templates()
        for number, line in enumerate((env.loader.get_source(env, name)[0] if env.loader else "").splitlines(), 1)
        if len(line) > LONGEST
    ]

    assert not long_lines, "\n".join(long_lines)
