"""torch.cuda and stridescope.sim on simulated devices: what PyTorch's devices do, as scripts see it."""
import os
import subprocess
import sys
import time
import unittest

import numpy as np

import stridescope as torch

sim = torch.sim


class OnSim(unittest.TestCase):
    def setUp(self):
        sim.enable(devices=2, memory=4 << 20, guard=True)

    def tearDown(self):
        sim.disable()

    def refused(self, action, kind, text):
        with self.assertRaises(kind) as caught:
            action()
        self.assertIn(text, str(caught.exception))

    def test_moves(self):
        x = torch.arange(12.0).view(3, 4)
        there = x.t().to("sim")
        self.assertEqual((str(there.device), there.is_cuda, there.get_device()), ("sim:0", False, 0))
        self.assertEqual(there.stride(), (1, 4))
        self.assertTrue(there.to("sim:0") is there and there.cpu().equal(x.t()))
        there[0, 0] = 50
        self.assertEqual((x[0, 0].item(), there[0, 0].item()), (0.0, 50.0))
        other = there.to("sim:1", torch.int64)
        self.assertEqual((str(other.device), other.dtype, other.tolist()[0]), ("sim:1", torch.int64, [50, 4, 8]))
        self.assertEqual(torch.zeros(3, device="sim:1").copy_(x[:, 0]).tolist(), [0.0, 4.0, 8.0])
        self.assertEqual(repr(torch.ones(2, device="sim")), "tensor([1., 1.], device='sim:0')")
        self.assertEqual(torch.tensor([1, 2], device="sim").tolist(), [1, 2])

    def test_mixed_devices(self):
        x, y, here = torch.ones(3, device="sim:0"), torch.ones(3, device="sim:1"), torch.ones(3)
        text = "Expected all tensors to be on the same device, but found at least two devices, "
        for action in (lambda: x + y, lambda: x @ y, lambda: torch.cat([x, y]), lambda: torch.where(x > 0, x, y),
                       lambda: x.add_(y)):
            self.refused(action, RuntimeError, text + "sim:0 and sim:1!")
        for action in (lambda: x * here, lambda: torch.dot(x, here), lambda: torch.stack([x, here])):
            self.refused(action, RuntimeError, text + "sim:0 and cpu!")
        self.assertEqual((x + torch.tensor(2.0)).tolist(), [3.0, 3.0, 3.0])
        self.refused(lambda: here[x.long()], RuntimeError,
                     "indices should be either on cpu or on the same device as the indexed tensor (cpu)")
        self.assertEqual(x[torch.tensor([0, 2])].tolist(), [1.0, 1.0])

    def test_numpy_is_refused(self):
        x = torch.ones(3, device="sim")
        text = "can't convert sim:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
        for action in (x.numpy, lambda: np.asarray(x), lambda: np.add(x, 1)):
            self.refused(action, TypeError, text)

    def test_waits_where_values_are_read(self):
        sim.enable(launch_delay=0.03)
        start = time.perf_counter()
        x = torch.ones(3, device="sim") + 1
        launched = time.perf_counter() - start
        self.assertEqual((x.tolist(), bool((x == 2).all()), x.sum().item()), ([2.0, 2.0, 2.0], True, 6.0))
        self.assertLess(launched, 0.03)
        self.assertGreater(time.perf_counter() - start, 0.06)

    def test_launch_blocking(self):
        # CUDA_LAUNCH_BLOCKING is read when the device is switched on: the same results, each call waited for.
        took, results = {}, []
        for blocking in ("0", "1"):
            os.environ["CUDA_LAUNCH_BLOCKING"] = blocking
            try:
                sim.enable(launch_delay=0.25)
                x = torch.arange(6.0, device="sim").view(2, 3)
                start = time.perf_counter()
                y = (x * 2 + 0).t()
                took[blocking] = time.perf_counter() - start
                results.append((y.tolist(), y.stride(), (x @ y).cpu().tolist()))
            finally:
                del os.environ["CUDA_LAUNCH_BLOCKING"]
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0][0], [[0.0, 6.0], [2.0, 8.0], [4.0, 10.0]])
        self.assertLess(took["0"], 0.25)
        self.assertGreaterEqual(took["1"], 0.5)

    def test_launch_blocking_without_a_gpu(self):
        done = subprocess.run([sys.executable, "-c", "import stridescope as torch\n"
                               "print(torch.cuda.is_available(), torch.arange(4.).view(2, 2) @ torch.ones(2, 2))"],
                              env={**os.environ, "CUDA_LAUNCH_BLOCKING": "1"}, capture_output=True, text=True, timeout=100)
        self.assertEqual((done.stdout, done.stderr), ("False tensor([[1., 1.],\n        [5., 5.]])\n", ""))

    def test_memory(self):
        self.assertEqual(sim.memory_allocated(), 0)
        x = torch.zeros(1000, device="sim")
        self.assertEqual((sim.memory_allocated(), sim.memory_allocated("sim:1")), (4000, 0))
        del x
        self.assertEqual((sim.memory_allocated(), sim.max_memory_allocated()), (0, 4000))
        sim.reset_peak_memory_stats()
        self.assertEqual(sim.max_memory_allocated(), 0)
        self.assertEqual(sim.mem_get_info()[1], 4 << 20)
        self.refused(lambda: torch.zeros(5 << 20, device="sim"), torch.cuda.OutOfMemoryError,
                     "out of memory on sim:0: needs 20971520 bytes, free ")
        self.assertEqual(torch.ones(2, device="sim").tolist(), [1.0, 1.0])

    def test_current_device(self):
        self.assertEqual((sim.device_count(), sim.current_device()), (2, 0))
        with sim.device(1):
            x = torch.ones(1, device="sim")
            self.assertEqual((sim.current_device(), str(x.device)), (1, "sim:1"))
            with sim.device_of(torch.ones(1, device="sim:0")):
                self.assertEqual(sim.current_device(), 0)
            with sim.device_of(torch.ones(1)):
                self.assertEqual(sim.current_device(), 1)
        self.assertEqual(sim.current_device(), 0)
        self.refused(lambda: sim.set_device(2), RuntimeError, "invalid device ordinal: 2, there are 2")
        self.refused(lambda: sim.synchronize("cpu"), ValueError, "Expected a sim device")
        self.refused(lambda: torch.ones(1, device="sim:5"), RuntimeError, "sim:5 cannot be used: there are 2")

    def test_pinned_memory(self):
        sim.enable(link=4e6)
        x = torch.ones(50000)
        p = x.pin_memory()
        self.assertEqual((x.is_pinned(), p.is_pinned(), p.pin_memory().data_ptr()), (False, True, p.data_ptr()))
        start = time.perf_counter()
        there = p.to("sim", non_blocking=True)
        back = there.to("cpu", non_blocking=True)
        self.assertLess(time.perf_counter() - start, 0.045)
        sim.synchronize()
        self.assertEqual((back.sum().item(), back.is_pinned()), (50000.0, True))
        self.refused(there.pin_memory, RuntimeError, "only dense CPU tensors can be pinned")
        sim.disable()
        self.refused(x.pin_memory, RuntimeError, "Cannot access accelerator device when none is available.")

    def test_sticky_error(self):
        sim.enable(fail_launch=2)
        x = torch.ones(3, device="sim")
        y = x + 1
        for _ in range(2):
            self.refused(y.tolist, RuntimeError, "an illegal memory access was encountered after kernel 2, add")
        self.assertEqual(torch.ones(3).tolist(), [1.0] * 3)
        sim.restart()
        self.refused(lambda: x + 1, RuntimeError, "the tensor is lost")
        self.assertEqual((torch.ones(3, device="sim") + 1).tolist(), [2.0] * 3)

    def test_streams_and_events(self):
        sim.enable(launch_delay=0.02)
        side = sim.Stream()
        x = torch.ones(3, device="sim")
        sim.synchronize()
        start, end = sim.Event(enable_timing=True), sim.Event(enable_timing=True)
        with sim.stream(side):
            self.assertEqual(sim.current_stream(), side)
            start.record()
            x += 1
            end.record()
        self.assertEqual(sim.current_stream(), sim.default_stream())
        self.assertFalse(side.query())
        sim.current_stream().wait_event(end)
        self.assertEqual((x * 10).tolist(), [20.0] * 3)
        self.assertTrue(side.query() and end.query())
        self.assertGreater(start.elapsed_time(end), 19)

    def test_off_until_asked_for(self):
        script = ("import stridescope as torch\n"
                  "print(torch.sim.is_enabled(), torch.sim.is_available(), torch.sim.device_count())\n"
                  "torch.sim.enable()\n"
                  "print(torch.sim.is_enabled(), torch.cuda.is_available(), torch.ones(1, device='sim'))\n")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "False False 0\nTrue False tensor([1.], device='sim:0')\n")

    def test_says_that_it_cannot(self):
        self.refused(lambda: torch.bernoulli(torch.ones(2, 2, device="sim")), RuntimeError,
                     "\"bernoulli\" not implemented for 'float32' on sim:0")


@unittest.skipIf(torch.cuda.is_available(), "this machine has a GPU")
class AsCuda(unittest.TestCase):
    """Lessons about CUDA without a GPU."""

    def setUp(self):
        sim.enable(devices=2, as_cuda=True)

    def tearDown(self):
        sim.disable()

    def test_names(self):
        x = torch.ones(2).cuda()
        self.assertEqual((repr(x), x.is_cuda, x.type()),
                         ("tensor([1., 1.], device='cuda:0')", True, "torch.cuda.FloatTensor"))
        self.assertTrue(torch.cuda.is_available() and sim.is_enabled() and not sim.is_available())
        for text in (torch.cuda.get_device_name(0), repr(torch.cuda.get_device_properties(1))):
            self.assertIn("simulated", text)
        sim.disable()
        self.assertFalse(torch.cuda.is_available())

    def test_current_device(self):
        with torch.cuda.device(1):
            self.assertEqual((str(torch.ones(1).cuda().device), str(torch.ones(1, device="cuda").device)),
                             ("cuda:1", "cuda:1"))
        self.assertEqual(str(torch.ones(1).to(1).device), "cuda:1")

    def test_peers(self):
        reach = torch.cuda.can_device_access_peer
        self.assertEqual((reach(0, 1), reach(1, 0), reach(1, 1), reach("cuda:0", torch.device("cuda", 1))),
                         (True, True, False, True))
        for device, peer, words in ((2, 0, "Invalid device id"), (0, 2, "Invalid peer device id")):
            with self.assertRaisesRegex(AssertionError, words):
                reach(device, peer)
        sim.disable()
        with self.assertRaisesRegex(AssertionError, "Torch not compiled with CUDA enabled"):
            reach(0, 1)


if __name__ == "__main__":
    unittest.main()
