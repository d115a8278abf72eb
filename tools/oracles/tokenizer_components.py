#!/usr/bin/env python3
"""What HF tokenizers makes of each component of tokenizer.json.

usage: tokenizer_components.py OUT.jsonl        (needs tokenizers==0.23.3)
One JSON line per case: {"kind": "normalizer" | "pre_tokenizer" | "pipeline", "component": ..., "rows": [...]}.
"""
import json
import sys

from tokenizers import Tokenizer, normalizers, pre_tokenizers

TEXTS = ["", "a", " ", "Hello, world!", "  two  spaces ", "a-b--c", "-a-", "--", "12 345x6", "½Ⅷ٣", "don't I'LL", "tab\tnew\n\nline",
         "caf\u00e9 cafe\u0301 \u212b \ufb01", "\u0130I\u0307 ΑΣ", "你好，世界。", "x\u00a0y\u3000z\u180ew", "a_b\u0301c \u200d", "$5+3=8 <b>^`|~", "\u2581x \u2581",
         "😀 👍🏽", "aaa bbb", "<x>abc<x> <w>", "a<w>b <w> <w>", "ab <l>  c <r>  d", "<s>hi</s>", "N\u00c9E n\u00e9e"]


def bpe(**more):
    chars = list("abcdehilnorstwxyz ,.-!<>0123456789\u2581")
    vocab = {"<unk>": 0, "<s>": 1, "</s>": 2}
    for b in range(256):
        vocab[f"<0x{b:02X}>"] = len(vocab)
    for c in chars:
        vocab[c] = len(vocab)
    merges = [("a", "b"), ("b", "c"), ("a", "a"), ("ab", "c"), ("\u2581", "a"), ("h", "i"), ("l", "l"), ("aa", "a"), (" ", " "), ("-", "-"), ("1", "2")]
    for a, b in merges:
        vocab[a + b] = len(vocab)
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
             "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": vocab, "merges": [list(m) for m in merges]}
    return model | more


def with_affixes():
    vocab = {t: i for i, t in enumerate(["a", "b", "c", "##a", "##b", "##c", "##a</w>", "##b</w>", "##c</w>", "a</w>", "b</w>", "c</w>", "ab", "abc</w>", "##bc</w>", "<unk>"])}
    merges = [["a", "##b"], ["ab", "##c</w>"], ["##b", "##c</w>"]]
    return bpe(vocab=vocab, merges=merges, continuing_subword_prefix="##", end_of_word_suffix="</w>", unk_token="<unk>")


def word_piece(**more):
    words = ["[UNK]", "[CLS]", "[SEP]", "hello", "##llo", "he", "a", "##a", "##b", "b", "nee", "##e", "n", ",", ".", "!", "'", "s", "don", "t", "##t", "x", "你", "好",
             "世", "界", "。", "cafe", "ab", "##c", "##bc", "12", "##3", "3", "##4", "##5", "-", "< ", "<", ">", "hi", "##x", "two", "spaces", "tab", "new", "line", "$", "+", "=", "5", "8"]
    return {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
            "vocab": {w: i for i, w in enumerate(words)}} | more


def bert(**more):
    return {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True} | more


def added(i, content, **more):
    return {"id": i, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False} | more


def pipeline(model, tokens=(), **parts):
    base = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": list(tokens), "normalizer": None, "pre_tokenizer": None,
            "post_processor": None, "decoder": None, "model": model}
    return base | parts


def split(pattern, behavior, invert=False):
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


NORMALIZERS = [{"type": t} for t in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents")] + [
    {"type": "Strip", "strip_left": l, "strip_right": r} for l in (True, False) for r in (True, False)] + [
    {"type": "Prepend", "prepend": "\u2581"}, {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
    {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}, {"type": "Replace", "pattern": {"Regex": "a|b"}, "content": "bb"},
    {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]},
    bert(), bert(lowercase=False), bert(strip_accents=False), bert(clean_text=False), bert(handle_chinese_chars=False, lowercase=False, strip_accents=True)]
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
PRE = [split(p, b, i) for p in ({"String": "-"}, {"Regex": "\\s|[0-9]"}) for b in BEHAVIORS for i in (False, True)] + [
    {"type": "Digits", "individual_digits": True}, {"type": "Digits", "individual_digits": False},
    {"type": "Whitespace"}, {"type": "WhitespaceSplit"}, {"type": "BertPreTokenizer"}, {"type": "CharDelimiterSplit", "delimiter": "-"},
    {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Punctuation", "behavior": "Isolated"}]}] + [
    {"type": "Punctuation", "behavior": b} for b in BEHAVIORS] + [
    {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": s, "split": p} for s in ("always", "never", "first") for p in (True, False)]
SPM_DECODER = {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"},
                                               {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
META = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": True}
TEMPLATE = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}, "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}}
N = len(bpe()["vocab"])
SPECIAL = [added(1, "<s>", special=True), added(2, "</s>", special=True)]
WORDS = [added(N, "<w>", single_word=True), added(N + 1, "<l>", lstrip=True), added(N + 2, "<r>", rstrip=True), added(N + 3, "<x>", normalized=True), added(N + 4, "<x>a", normalized=True)]
PIPELINES = [
    pipeline(bpe(byte_fallback=True), SPECIAL, normalizer={"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "\u2581"}, {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]},
             decoder=SPM_DECODER, post_processor=TEMPLATE),
    pipeline(bpe(unk_token="<unk>", fuse_unk=True), SPECIAL, pre_tokenizer=META, decoder={"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": True}),
    pipeline(bpe(unk_token="<unk>"), SPECIAL + WORDS, normalizer={"type": "Lowercase"}, pre_tokenizer={"type": "Whitespace"}),
    pipeline(bpe(), WORDS, pre_tokenizer=META, decoder=SPM_DECODER),
    pipeline(bpe(ignore_merges=True), WORDS, post_processor={"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 1], "trim_offsets": True, "add_prefix_space": False}),
    pipeline(with_affixes(), pre_tokenizer={"type": "WhitespaceSplit"}),
] + [
    pipeline(word_piece(max_input_chars_per_word=limit), [added(1, "[CLS]", special=True), added(2, "[SEP]", special=True)], normalizer=bert(), pre_tokenizer={"type": "BertPreTokenizer"},
             decoder={"type": "WordPiece", "prefix": "##", "cleanup": cleanup}, post_processor={"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]})
    for cleanup, limit in ((True, 100), (False, 4))
]


def main(path):
    with open(path, "w", encoding="ascii") as f:
        def write(kind, component, rows):
            f.write(json.dumps({"kind": kind, "component": component, "rows": rows}, separators=(",", ":")) + "\n")

        for c in NORMALIZERS:
            t = Tokenizer.from_str(json.dumps(pipeline(bpe(), normalizer=c)))
            write("normalizer", c, [[s, t.normalizer.normalize_str(s)] for s in TEXTS])
        for c in PRE:
            t = Tokenizer.from_str(json.dumps(pipeline(bpe(), pre_tokenizer=c)))
            write("pre_tokenizer", c, [[s, [p for p, _ in t.pre_tokenizer.pre_tokenize_str(s)]] for s in TEXTS])
        for c in PIPELINES:
            t = Tokenizer.from_str(json.dumps(c))
            rows = []
            for s in TEXTS:
                ids = t.encode(s, add_special_tokens=False).ids
                rows.append([s, ids, t.encode(s).ids, t.decode(ids, skip_special_tokens=False)])
            write("pipeline", c, rows)


if __name__ == "__main__":
    main(sys.argv[1])
