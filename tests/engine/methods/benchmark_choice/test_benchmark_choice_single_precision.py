"""The float32 arithmetic is torch's, bit for bit, where torch runs on 512-bit vectors."""

import numpy as np
import pytest

from engine.methods.benchmark_choice import cardinal
from engine.methods.benchmark_choice import single_precision as single
from engine.methods.benchmark_choice.boards import imagenet_groups, leaderboard

SIZES = (2, 5, 7, 8, 9, 16, 19, 20, 27, 32, 57, 100, 112)


@pytest.fixture
def torch():
    found = pytest.importorskip("torch")
    if found.backends.cpu.get_cpu_capability() != "AVX512":
        pytest.skip("torch orders its sums otherwise on this processor")
    return found


@pytest.mark.parametrize("n", SIZES)
def test_softmax_its_derivative_and_sums(torch, n):
    rng = np.random.default_rng(n)
    for _ in range(100):
        u = rng.normal(0, 5, n).astype(np.float32)
        p = torch.from_numpy(u).softmax(0)
        assert np.array_equal(single.softmax(u), p.numpy())
        pull = torch.from_numpy(rng.normal(0, 3, n).astype(np.float32))
        slope = torch._softmax_backward_data(pull, p, 0, torch.float32)
        assert np.array_equal(single.softmax_slope(pull.numpy(), p.numpy()), slope.numpy())
        assert single.total(u) == torch.from_numpy(u).sum().item()


@pytest.mark.parametrize("shape", [(16, 19), (98, 57), (107, 27), (83, 112), (30, 3)])
def test_means_of_rows_and_sums_of_columns(torch, shape):
    table = np.random.default_rng(0).normal(size=shape)
    assert np.array_equal(single.mean_of_rows(table), torch.from_numpy(table).mean(1).numpy())
    assert np.array_equal(single.sum_of_columns(table), torch.from_numpy(table).sum(0).numpy())


def test_exponential_is_right_to_one_unit_in_the_last_place():
    x = -np.linspace(0, 86, 20_001, dtype=np.float32)
    right = np.exp(x.astype(np.float64))
    mine = np.array([single.exponential(value) for value in x])
    assert (np.abs(mine - right) <= np.spacing(right.astype(np.float32))).all()
    assert single.exponential(np.float32(-200)) == 0


def by_autograd(torch, problem, weighted, steps):
    """The published loop: losses and last weights, derivatives by torch itself."""
    z, ranks = torch.from_numpy(problem.standard), torch.from_numpy(problem.ranks)
    gap = ranks[:, None] - ranks[None, :]
    worse, better = torch.nonzero(gap > 0, as_tuple=True)
    c = gap[worse, better] if weighted else torch.ones(len(worse), dtype=torch.double)
    u = torch.ones(z.shape[1], requires_grad=True)
    losses, last = [], float(0x3F3F3F3F)
    for _ in range(steps):
        raised = u.softmax(0) + 0.01 / 0.99
        w = raised / raised.sum()
        score = (z * w).mean(1)
        terms = c * torch.clamp(score[better] - score[worse], min=0)
        losses.append(terms.sum().item())
        if losses[-1] <= 1e-8 or abs(losses[-1] - last) < 1e-5:
            break
        last = losses[-1]
        (slope,) = torch.autograd.grad(terms.sum(), u)
        u = (u - slope).detach().requires_grad_()
    raised = u.detach().softmax(0) + 0.01 / 0.99
    return np.array(losses), (raised / raised.sum()).numpy()


@pytest.mark.parametrize("name", ["superglue", "vtab", "bbh", "helm_capability"])
@pytest.mark.parametrize("weighted", [True, False])
def test_descent_follows_automatic_derivatives(name, weighted):
    torch = pytest.importorskip("torch")
    problem = cardinal.prepare(leaderboard(name).scores)
    *_, (state, losses) = cardinal.descend(problem, rank_weighted=weighted, steps=3, chunk=3)
    known, weights = by_autograd(torch, problem, weighted, 3)
    assert losses == pytest.approx(known, rel=1e-4)
    assert state.weights == pytest.approx(weights, abs=1e-4)


def test_chunks_do_not_change_the_descent():
    problem = cardinal.prepare(imagenet_groups(0).scores)
    whole = list(cardinal.descend(problem, chunk=1000))
    cut = list(cardinal.descend(problem, chunk=7))
    assert np.array_equal(whole[-1][0].weights, cut[-1][0].weights)
    assert np.array_equal(whole[0][1], np.concatenate([losses for _, losses in cut]))


def test_the_step_count_of_the_published_run_on_mmlu():
    """54 steps of the weighted variant, 1,000 of the plain one: what torch takes, to the last bit."""
    problem = cardinal.prepare(leaderboard("mmlu").scores)
    for weighted, steps, loss in ((True, 54, 1777.19), (False, 1000, 41.6612)):
        *_, (state, _) = cardinal.descend(problem, rank_weighted=weighted)
        assert state.step == steps
        assert state.loss == pytest.approx(loss, abs=0.006)
