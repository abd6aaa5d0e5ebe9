# Three tasks, an event, a lock and a timeout.
import asyncio

log = []


async def worker(name, event, ms):
    for i in range(2):
        await asyncio.sleep_ms(ms)
        log.append((name, i))
    event.set()


async def main():
    event = asyncio.Event()
    tasks = [asyncio.create_task(worker("a", event, 1)), asyncio.create_task(worker("b", asyncio.Event(), 2))]
    await event.wait()
    log.append("event")
    try:
        await asyncio.wait_for_ms(worker("late", asyncio.Event(), 50), 3)
    except asyncio.TimeoutError:
        log.append("timeout")
    await asyncio.gather(*tasks)


asyncio.run(main())
print(log)
