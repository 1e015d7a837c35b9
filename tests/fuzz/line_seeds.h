#pragma once
// Lines of the line language that between them use every part of it.

#include "tests/fuzz/seeds.h"

namespace fuzz {

inline std::vector<std::string> lineSeeds() {
    return {
        "",
        "x # only a comment",
        ">>> y = x.t()\n>>> y",
        "a, b = x.split(2); b",
        "x[1, ::2], x[None, 1, ..., 1:3].shape, x[()]",
        "x[1, 2] = 70; x[:, 0] = torch.tensor([7, 8, 9]); x",
        "x[0] += 10; x *= 2; x",
        "del f, x",
        "1 + 2 * 3 - -4 / 5 // 2 % 7",
        "1 < 2, 1.5e3 == .5, 'a' != \"b\", True, None",
        "(1, 2) + (3,), [1, [2, 3]] + []",
        "x.narrow(dim=1, start=0, length=2).select(0, 1)",
        "x.permute(1, 0).stride(), x.movedim(0, 1).shape, x.swapaxes(0, 1).T.mT",
        "x.view(2, -1), x.reshape((4, 3)).flatten().unflatten(0, (3, 4))",
        "x.unsqueeze(1).squeeze(), u.expand(2, 5), u.broadcast_to((2, 5)), u.expand_as(torch.zeros(2, 5))",
        "x.as_strided((2, 2), (1, 1), 1), x.diagonal(1), u.unfold(0, 2, 1)",
        "u.split([2, 3]), u.chunk(2)[1], x.unbind(1)",
        "x.view(torch.int32), x.to(torch.float64), f.int(), h.bool(), x.type(torch.uint8), x.to('cpu')",
        "torch.zeros(2, 3), torch.ones(()), torch.full((2,), 3.5), torch.empty(0, dtype=torch.int8)",
        "torch.arange(10, 2, -3), torch.arange(0, 1, 0.25), torch.zeros_like(x), torch.full_like(f, 9)",
        "torch.tensor([[1, 2], [3, 4]], dtype=torch.float16), torch.tensor([1, 2.5, True])",
        "torch.manual_seed(0); torch.rand(2, 3), torch.randn(4), torch.randint(0, 9, (2,)), torch.randperm(5)",
        "x + 1, 1 - x, x / 2, x * x, x + x[0], x < 5, -f, abs(-f), x == x.clone()",
        "torch.maximum(u, torch.full((5,), 2)), torch.add(x, x), x.mul(2)",
        "x.fill_(5), f.zero_(), x[0].copy_(x[1]), u.add_(1)",
        "x.shape, x.size(-1), x.stride(0), x.dim(), x.numel(), x.nbytes, x.dtype, x.device, x.is_contiguous()",
        "x[1, 2].item(), x.tolist(), len(x), int(2.9), float('inf'), bool(0), print('a', 1, x.shape)",
        "w.contiguous(), w.clone(), w.fill_(2), w.reshape(12), w.expand(4611686018427387904, 4, 3).nbytes",
        "-2 ** 2 ** -1, 7 // 2 % 3 << 4 >> 1 & 5 | 6 ^ ~7, 2 ** 63, 1 << 64, 3 >> -1, (-8) ** 0.5, 0 ** -1",
        "x ** 2 // 3 % 4, 2 ** x, ~b & (u > 1)[:2] | True, u << 1 >> u, x ^ x, -x ** 2, f // 0.4, h % 2",
        "x **= 2; x //= 3; x %= 5; x &= 7; x |= 1; x ^= 2; x <<= 1; x >>= 1; f **= 0.5; n **= 2; x[0] **= n",
        "torch.exp(f).sqrt(), torch.atan2(f, f.t()), f.exp_().add_(1), torch.round(f, decimals=1), x.float().log_()",
        "torch.div(x, 2, rounding_mode='floor'), x.add(x, alpha=2), torch.nan_to_num(f / 0., nan=1), f.logit(1e-3)",
        "torch.bitwise_left_shift(u, 3), x.gcd(x), torch.heaviside(f, f), w.exp_(), torch.maximum(e, e), "
        "b.logical_not_()",
        "torch.Size((2, 3)).numel(), torch.inf, torch.nan, torch.device('cpu')",
        "import torch; import numpy as np",
        "for i in x: pass",
        "x.to(dtype=torch.int8, 3)",
        "9223372036854775807 + 1; -9223372036854775808; 99999999999999999999",
    };
}

} // namespace fuzz
