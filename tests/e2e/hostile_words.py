"""Words that run where a page takes them for its own: as an element, in an attribute, as an address, as a template."""

PASSWORD = "only-for-this-test"
HOSTILE = " ".join(
    (
        "<script>window.hurt=1</script>",
        '"><img src=x onerror=window.hurt=1>',
        "'><svg onload=window.hurt=1>",
        "</script></textarea></title><script>window.hurt=1</script>",
        "javascript:window.hurt=1",
        "{{ 7 }}{% now 'Y' %}${window.hurt=1}",
        "<a href=javascript:window.hurt=1>go</a>",
        "&lt;script&gt;window.hurt=1&lt;/script&gt;",
        "[go](javascript:window.hurt=1)",
    )
)
