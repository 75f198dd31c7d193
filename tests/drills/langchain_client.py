"""LangChain's ChatOpenAI, unchanged, asking a running site; it is installed in an environment of its own.

    python3 -m venv /tmp/langchain && /tmp/langchain/bin/pip install langchain-openai
    /tmp/langchain/bin/python tests/drills/langchain_client.py URL TOKEN QUESTION

prints a transcript, which docs/results/api.md holds.
"""

import sys
from importlib.metadata import version

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from openai import BadRequestError, NotFoundError


def main(url, token, question):
    def model(name="lectorium-instant", **options):
        return ChatOpenAI(base_url=f"{url}/v1", api_key=token, model=name, max_retries=0, **options)

    print(f"langchain-openai {version('langchain-openai')}, openai {version('openai')}")
    said = model().invoke([SystemMessage("Answer like a pirate."), HumanMessage(question)])
    print(f"invoke: {said.content!r}")
    print(f"usage: {said.usage_metadata['total_tokens']}, finish: {said.response_metadata['finish_reason']}")
    chunks = list(model(stream_usage=True).stream(question))
    print(f"stream: {sum(bool(chunk.content) for chunk in chunks)} chunks with text, "
          f"together the same: {''.join(chunk.content for chunk in chunks) == said.content}")  # fmt: skip
    print(f"stream usage: {[chunk.usage_metadata for chunk in chunks if chunk.usage_metadata] != []}")
    stopped = model().invoke(question, stop=[" [1]"])
    print(f"stop: {stopped.content!r}")
    again = model().invoke([HumanMessage(question), AIMessage(said.content), HumanMessage("Tell me more")])
    print(f"history: {again.content[:80]!r}")
    both = model().batch([question, "hello"])
    print(f"batch: {[bool(answer.content) for answer in both]}")
    try:
        model("gpt-4").invoke(question)
    except NotFoundError as error:
        print(f"unknown model: {error.status_code} {error.code}: {error.body['message']}")
    try:
        model(n=2).invoke(question)
    except BadRequestError as error:
        print(f"n=2: {error.status_code} {error.code} {error.param}: {error.body['message']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
