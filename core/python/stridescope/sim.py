"""stridescope.sim: a device that is simulated on the CPU, to learn and test what devices do. Off until enable().

It has memory of its own and works through queues of its own, later than the caller. Its times tell nothing about GPUs."""
from . import _core, _devices

globals().update(_devices.make("sim", "stridescope.sim"))


def enable(devices=1, memory=256 << 20, link=0.0, launch_delay=0.0, fail_allocation=0, fail_launch=0, as_cuda=False,
           guard=False):
    """enable(devices=1, memory=256 << 20, link=0, launch_delay=0, fail_allocation=0, fail_launch=0, as_cuda=False):
    switches simulated devices on, sim:0 and so on; what was on earlier ones is lost.

    memory: bytes of each. link: bytes a second of copies from and to it, 0 for no limit. launch_delay: seconds before
    each piece of work. fail_allocation=3: the third allocation finds no memory. fail_launch=3: after the third kernel
    the device works no more, until restart(). as_cuda: they are called cuda:0 and so on, for lessons; refused beside a
    real GPU. guard: the system ends a program that reads device memory from the CPU; for tests, slow."""
    _core._sim_enable(devices, memory, float(link), float(launch_delay), fail_allocation, fail_launch, as_cuda, guard)


def disable():
    """disable(): switches them off; tensors on them are lost."""
    _core._sim_disable()


def is_enabled():
    """is_enabled() -> bool: is any simulated device switched on, under whatever name?"""
    return any(_core._device_count(kind) > 0 and _core._device_about(_core.device(kind, 0))[1]
               for kind in ("sim", "cuda"))


def restart(device="sim:0"):
    """restart(device="sim:0"): after an error that stays; what was queued and all tensors on the device are lost."""
    _core._sim_restart(_core.device(device))
