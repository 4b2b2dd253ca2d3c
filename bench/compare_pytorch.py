#!/usr/bin/env python3
"""Time the benchmark jobs in PyTorch and in tapehead, in turn, on this machine.

usage: compare_pytorch.py [--tapehead PROGRAM] [--rounds N] [--seconds S] [--threads N] [--json FILE] [JOB ...]

Needs PyTorch (Debian: python3-torch). Each round runs PyTorch and then tapehead, so that a machine
that slows down slows down both; the ratios are taken round by round. PyTorch runs in a process of
its own with the best of the settings tried: OMP_WAIT_POLICY active and passive, and several
OPENBLAS_CORETYPEs unless that is set in the environment.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

JOBS = {  # vocabulary, length, d_model, heads, layers, batch: as in app/bench/bench.cpp
    "tiny": (16, 16, 32, 2, 1, 32),
    "toy": (16, 32, 64, 4, 2, 64),
    "nanogpt-cpu": (65, 64, 128, 4, 4, 12),
    "mid": (65, 256, 384, 6, 6, 8),
}


ATTENTION_LENGTH = 4096  # 8 heads of width 64, batch 1, causal
DECODE_TOKENS, DECODE_CONTEXT = 512, 1024
RECIPE_STEPS = 2000
OTHER_JOBS = ("mha", "mqa", "attention", "decode")  # as in app/bench/bench_attention.cpp


def time_calls(call, seconds):
    """Median milliseconds of call() over about `seconds`, after a warm-up."""
    for _ in range(3):
        call()
    times, start = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        call()
        times.append((time.perf_counter() - before) * 1e3)
    return statistics.median(times)


def torch_model(job, context=None, vocabulary=None, bias=True):
    """The decoder-only model of a job. With `past`, its forward reads and fills the keys and values in it."""
    import torch
    import torch.nn as nn
    import torch.nn.functional as F

    vocab, length, d, heads, layers, _ = JOBS[job]
    length, vocab = context or length, vocabulary or vocab

    class LayerNorm(nn.Module):  # PyTorch 1.13's has no option to leave out the bias
        def __init__(self, width):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(width))
            self.bias = nn.Parameter(torch.zeros(width)) if bias else None

        def forward(self, x):
            return F.layer_norm(x, self.weight.shape, self.weight, self.bias)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = LayerNorm(d), LayerNorm(d)
            self.qkv, self.out = nn.Linear(d, 3 * d, bias), nn.Linear(d, d, bias)
            self.fc1, self.fc2 = nn.Linear(d, 4 * d, bias), nn.Linear(4 * d, d, bias)
            mask = torch.triu(torch.full((length, length), float("-inf")), 1)
            self.register_buffer("mask", mask)

        def forward(self, x, past=None):
            b, t, _ = x.shape
            q, k, v = (s.view(b, t, heads, d // heads).transpose(1, 2)
                       for s in self.qkv(self.norm1(x)).split(d, dim=2))
            if past is not None:  # one token at a time: (keys, values, how many of them are filled)
                keys, values, n = past
                keys[:, :, n:n + t], values[:, :, n:n + t] = k, v
                k, v = keys[:, :, :n + t], values[:, :, :n + t]
            scores = q @ k.transpose(-1, -2) * (d // heads) ** -0.5
            if t > 1:
                scores = scores + self.mask[:t, :t]
            x = x + self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))
            return x + self.fc2(F.gelu(self.fc1(self.norm2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.token, self.position = nn.Embedding(vocab, d), nn.Embedding(length, d)
            self.blocks = nn.ModuleList(Block() for _ in range(layers))
            self.norm, self.head = LayerNorm(d), nn.Linear(d, vocab, bias=False)

        def forward(self, x, past=None, first=0):
            x = self.token(x) + self.position.weight[first:first + x.shape[1]]
            for i, block in enumerate(self.blocks):
                x = block(x, None if past is None else (*past[i], first))
            return self.head(self.norm(x))

    return Model()


def torch_step_ms(job, seconds):
    """One full training step."""
    import torch
    import torch.nn.functional as F

    vocab, length, _, _, _, batch = JOBS[job]
    model = torch_model(job)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=0.1)
    x = torch.randint(vocab, (batch, length))
    y = torch.randint(vocab, (batch, length))

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x).view(-1, vocab), y.view(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return time_calls(step, seconds)


def torch_layer_ms(kv_heads, seconds):
    """The documents' layer, forward and backward: batch 10, 8 heads, n_q 2, n_k 4."""
    import torch
    import torch.nn as nn

    heads, d_k, d_v = 8, 16, 16
    fc_q, fc_k = nn.Linear(128, heads * d_k), nn.Linear(128, kv_heads * d_k)
    fc_v, fc_o = nn.Linear(64, kv_heads * d_v), nn.Linear(heads * d_v, 8)
    parameters = [p for fc in (fc_q, fc_k, fc_v, fc_o) for p in fc.parameters()]
    inputs = [torch.randn(10, n, width, requires_grad=True) for n, width in ((2, 128), (4, 128), (4, 64))]
    mask = torch.triu(torch.full((2, 4), float("-inf")), 1)
    upstream = torch.randn(10, 2, 8)

    def call():
        for p in parameters + inputs:
            p.grad = None
        q, k, v = inputs
        q = fc_q(q).view(10, 2, heads, d_k).transpose(1, 2)
        k = fc_k(k).view(10, 4, kv_heads, d_k).transpose(1, 2)
        v = fc_v(v).view(10, 4, kv_heads, d_v).transpose(1, 2)
        weights = (q @ k.transpose(-1, -2) / d_k ** 0.5 + mask).softmax(-1)
        fc_o((weights @ v).transpose(1, 2).reshape(10, 2, heads * d_v)).backward(upstream)

    return time_calls(call, seconds)


def torch_attention_ms(seconds):
    """Attention alone, forward and backward, its weights materialised (PyTorch 1.13 has no other way on a CPU)."""
    import torch

    q, k, v = (torch.randn(1, 8, ATTENTION_LENGTH, 64, requires_grad=True) for _ in range(3))
    mask = torch.triu(torch.full((ATTENTION_LENGTH, ATTENTION_LENGTH), float("-inf")), 1)
    upstream = torch.randn(1, 8, ATTENTION_LENGTH, 64)

    def call():
        q.grad = k.grad = v.grad = None
        ((q @ k.transpose(-1, -2) / 8 + mask).softmax(-1) @ v).backward(upstream)

    return time_calls(call, seconds)


def torch_decode_ms(seconds):
    """512 tokens one after another, batch 1, with a KV cache that is allocated once."""
    import torch

    model = torch_model("nanogpt-cpu", DECODE_CONTEXT)
    _, _, d, heads, layers, _ = JOBS["nanogpt-cpu"]
    past = [(torch.zeros(1, heads, DECODE_CONTEXT, d // heads), torch.zeros(1, heads, DECODE_CONTEXT, d // heads))
            for _ in range(layers)]

    @torch.inference_mode()
    def call():
        token = torch.zeros(1, 1, dtype=torch.long)
        for i in range(DECODE_TOKENS):
            token = model(token, past, i)[:, -1].argmax(-1, keepdim=True)

    return time_calls(call, seconds)


def torch_recipe_ms(text):
    """nanoGPT's recipe for a CPU on a text, 2000 steps, and the loss over the whole validation split: once."""
    import math

    import torch
    import torch.nn as nn
    import torch.nn.functional as F

    start = time.perf_counter()
    data = open(text, encoding="utf-8").read()
    index = {c: i for i, c in enumerate(sorted(set(data)))}
    tokens = torch.tensor([index[c] for c in data])
    split = int(0.9 * len(tokens))
    train, held_out = tokens[:split], tokens[split:]
    _, length, _, _, layers, batch = JOBS["nanogpt-cpu"]
    model = torch_model("nanogpt-cpu", vocabulary=len(index), bias=False)
    for name, p in model.named_parameters():
        if p.dim() > 1:
            nn.init.normal_(p, 0.0, 0.02 / math.sqrt(2 * layers) if "out." in name or "fc2." in name else 0.02)
    model.head.weight = model.token.weight
    groups = [{"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.1},
              {"params": [p for p in model.parameters() if p.dim() <= 1], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, 1e-3, betas=(0.9, 0.99))
    for step in range(RECIPE_STEPS):
        progress = (step - 100) / (RECIPE_STEPS - 100)
        lr = 1e-3 * (step + 1) / 100 if step < 100 else 1e-4 + 0.9e-3 * (1 + math.cos(math.pi * progress)) / 2
        for group in optimizer.param_groups:
            group["lr"] = lr
        first = torch.randint(len(train) - length, (batch,))
        x = torch.stack([train[i:i + length] for i in first])
        y = torch.stack([train[i + 1:i + 1 + length] for i in first])
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    rows = (len(held_out) - 1) // length
    x, y = held_out[:rows * length].view(rows, length), held_out[1:rows * length + 1].view(rows, length)
    with torch.inference_mode():
        losses = [F.cross_entropy(model(x[i:i + 32]).flatten(0, 1), y[i:i + 32].flatten(), reduction="sum")
                  for i in range(0, rows, 32)]
    print(f"PyTorch: validation loss {sum(losses).item() / (rows * length):.4f}", file=sys.stderr)
    return (time.perf_counter() - start) * 1e3


def torch_ms(job, seconds, threads, text):
    """Median milliseconds of a job and peak memory in MB, in this process."""
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(1)
    if job in JOBS:
        median = torch_step_ms(job, seconds)
    elif job in ("mha", "mqa"):
        median = torch_layer_ms(8 if job == "mha" else 1, seconds)
    elif job == "recipe":
        median = torch_recipe_ms(text)
    else:
        median = {"attention": torch_attention_ms, "decode": torch_decode_ms}[job](seconds)
    return {"median_ms": median, "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def torch_settings():
    """The environments to try for PyTorch: OpenBLAS chooses its kernels by the CPU's name, and some names it does not
    know."""
    core_types = [None, "SKYLAKEX", "HASWELL", "ZEN"] if "OPENBLAS_CORETYPE" not in os.environ else [None]
    for policy in ("active", "passive"):
        for core_type in core_types:
            env = dict(os.environ, OMP_WAIT_POLICY=policy)
            if core_type is not None:
                env["OPENBLAS_CORETYPE"] = core_type
            yield f"OMP_WAIT_POLICY={policy}" + (f" OPENBLAS_CORETYPE={core_type}" if core_type else ""), env


def run(command, env=None):
    return json.loads(subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout)


def run_torch(job, args, env):
    text = ["--text", args.text] if job == "recipe" else []
    return run([sys.executable, __file__, "--torch", job, "--seconds", str(args.seconds), "--threads",
                str(args.threads)] + text, env)


def run_tapehead_recipe(args):
    with tempfile.TemporaryDirectory() as folder:
        command = [args.tapehead, "train", args.text, "--preset", "nanogpt-cpu", "--steps", str(RECIPE_STEPS),
                   "--threads", str(args.threads), "--out", os.path.join(folder, "run"), "--json",
                   "--set", "train.eval_every=0"]  # validated once, at the end, as PyTorch's part is
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        milliseconds = (time.perf_counter() - start) * 1e3
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    print(f"tapehead: validation loss {json.loads(output)['validation_loss']:.4f}", file=sys.stderr)
    return {"median_ms": milliseconds, "peak_rss_mb": usage.ru_maxrss / 1024}


def run_tapehead(job, args):
    if job == "recipe":
        return run_tapehead_recipe(args)
    length = ["--length", str(ATTENTION_LENGTH)] if job == "attention" else []
    return run([args.tapehead, "bench", job, "--json", "--seconds", str(args.seconds), "--threads",
                str(args.threads)] + length)


def compare(job, args):
    # These take too long to be tried with every setting.
    tried = "nanogpt-cpu" if job in ("recipe", "attention") else job
    name, env = min(torch_settings(), key=lambda s: run_torch(tried, args, s[1])["median_ms"])
    torch, own = [], []
    for _ in range(args.rounds):
        torch.append(run_torch(job, args, env))
        own.append(run_tapehead(job, args))
    ratios = [t["median_ms"] / o["median_ms"] for t, o in zip(torch, own)]
    row = {"job": job, "ratio_median": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios),
           "rounds": args.rounds, "threads": args.threads, "pytorch_setting": name}
    for who, results in (("pytorch", torch), ("tapehead", own)):
        row[f"{who}_ms"] = statistics.median(r["median_ms"] for r in results)
        row[f"{who}_mb"] = max(r["peak_rss_mb"] for r in results)
    print(f"{job:<14}{row['pytorch_ms']:>12.2f}{row['tapehead_ms']:>13.3f}{row['ratio_median']:>8.2f}"
          f"   ({row['ratio_min']:.2f} - {row['ratio_max']:.2f}){row['pytorch_mb']:>8.0f}{row['tapehead_mb']:>8.0f}"
          f"   {name}", flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    all_jobs = [*JOBS, *OTHER_JOBS]
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=f"of {', '.join(all_jobs)}; all by default")
    parser.add_argument("--tapehead", default="./tapehead")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="to measure each job in each round")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--text", help="a text file; adds the job `recipe`: nanoGPT's recipe on it, as a whole")
    parser.add_argument("--json", help="write the table to this file")
    parser.add_argument("--torch", help=argparse.SUPPRESS)  # a process of our own that times PyTorch
    args = parser.parse_args()
    if args.torch:
        print(json.dumps(torch_ms(args.torch, args.seconds, args.threads, args.text)))
        return
    if args.text:
        all_jobs.append("recipe")
    for job in args.jobs:
        if job not in all_jobs:
            parser.error(f"there is no job '{job}'; there are: {', '.join(all_jobs)}")
    print(f"{'job':<14}{'PyTorch ms':>12}{'tapehead ms':>13}{'ratio':>8}   (min - max)   peak MB of both"
          "   PyTorch's best setting")
    rows = [compare(job, args) for job in args.jobs or all_jobs]
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=2)


if __name__ == "__main__":
    main()
