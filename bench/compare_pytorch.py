#!/usr/bin/env python3
"""Time training steps of the benchmark jobs in PyTorch and in tapehead, in turn, on this machine.

usage: compare_pytorch.py [--tapehead PROGRAM] [--rounds N] [--seconds S] [--threads N] [--json FILE] [JOB ...]

Needs PyTorch (Debian: python3-torch). Each round runs PyTorch and then tapehead, so that a machine
that slows down slows down both; the ratios are taken round by round. PyTorch runs in a process of
its own with the best of the settings tried: OMP_WAIT_POLICY active and passive, and OpenBLAS with
and without OPENBLAS_CORETYPE from the environment.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

JOBS = {  # vocabulary, length, d_model, heads, layers, batch: as in train/bench.cpp
    "tiny": (16, 16, 32, 2, 1, 32),
    "toy": (16, 32, 64, 4, 2, 64),
    "nanogpt-cpu": (65, 64, 128, 4, 4, 12),
    "mid": (65, 256, 384, 6, 6, 8),
}


def torch_step_ms(job, seconds, threads):
    """Median and minimum milliseconds of one full step in PyTorch, in this process."""
    import torch
    import torch.nn as nn
    import torch.nn.functional as F

    torch.set_num_threads(threads)
    torch.manual_seed(1)
    vocab, length, d, heads, layers, batch = JOBS[job]

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
            self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
            self.fc1, self.fc2 = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
            mask = torch.triu(torch.full((length, length), float("-inf")), 1)
            self.register_buffer("mask", mask)

        def forward(self, x):
            b, t, _ = x.shape
            q, k, v = (s.view(b, t, heads, d // heads).transpose(1, 2)
                       for s in self.qkv(self.norm1(x)).split(d, dim=2))
            scores = q @ k.transpose(-1, -2) * (d // heads) ** -0.5 + self.mask
            x = x + self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))
            return x + self.fc2(F.gelu(self.fc1(self.norm2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.token, self.position = nn.Embedding(vocab, d), nn.Embedding(length, d)
            self.blocks = nn.Sequential(*(Block() for _ in range(layers)))
            self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, vocab, bias=False)

        def forward(self, x):
            return self.head(self.norm(self.blocks(self.token(x) + self.position.weight)))

    model = Model()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=0.1)
    x = torch.randint(vocab, (batch, length))
    y = torch.randint(vocab, (batch, length))

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x).view(-1, vocab), y.view(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    for _ in range(3):
        step()
    times, start = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        step()
        times.append((time.perf_counter() - before) * 1e3)
    return statistics.median(times), min(times)


def torch_settings():
    """The environments to try for PyTorch."""
    for policy in ("active", "passive"):
        for keep_core_type in (True, False):
            if not keep_core_type and "OPENBLAS_CORETYPE" not in os.environ:
                continue
            env = dict(os.environ, OMP_WAIT_POLICY=policy)
            if not keep_core_type:
                for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
                    env.pop(name, None)
            yield f"OMP_WAIT_POLICY={policy}" + ("" if keep_core_type else ", own core type"), env


def run_torch(job, args, env):
    command = [sys.executable, __file__, "--torch", job, "--seconds", str(args.seconds), "--threads", str(args.threads)]
    return json.loads(subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout)["median_ms"]


def run_tapehead(job, args):
    command = [args.tapehead, "bench", job, "--json", "--seconds", str(args.seconds), "--threads", str(args.threads)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["median_ms"]


def compare(job, args):
    name, env = min(torch_settings(), key=lambda s: run_torch(job, args, s[1]))
    torch_ms, tapehead_ms = [], []
    for _ in range(args.rounds):
        torch_ms.append(run_torch(job, args, env))
        tapehead_ms.append(run_tapehead(job, args))
    ratios = [t / own for t, own in zip(torch_ms, tapehead_ms)]
    row = {"job": job, "pytorch_ms": statistics.median(torch_ms), "tapehead_ms": statistics.median(tapehead_ms),
           "ratio_median": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios),
           "rounds": args.rounds, "threads": args.threads, "pytorch_setting": name}
    print(f"{job:<14}{row['pytorch_ms']:>12.2f}{row['tapehead_ms']:>13.2f}{row['ratio_median']:>8.2f}"
          f"   ({row['ratio_min']:.2f} - {row['ratio_max']:.2f})   {name}", flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=f"of {', '.join(JOBS)}; all by default")
    parser.add_argument("--tapehead", default="./tapehead")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="to measure each job in each round")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", help="write the table to this file")
    parser.add_argument("--torch", help=argparse.SUPPRESS)  # a process of our own that times PyTorch
    args = parser.parse_args()
    if args.torch:
        median, least = torch_step_ms(args.torch, args.seconds, args.threads)
        print(json.dumps({"median_ms": median, "min_ms": least}))
        return
    for job in args.jobs:
        if job not in JOBS:
            parser.error(f"there is no job '{job}'; there are: {', '.join(JOBS)}")
    print(f"{'job':<14}{'PyTorch ms':>12}{'tapehead ms':>13}{'ratio':>8}   (min - max)   PyTorch's best setting")
    rows = [compare(job, args) for job in args.jobs or JOBS]
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=2)


if __name__ == "__main__":
    main()
