import { deepEqual, equal, ok } from 'node:assert/strict'
import { answerLifeMs } from '#src/domain/dispatch/check-dispatch.js'
import { rateLimitReply, type WildReply } from '#test/support/chat/chat-double.js'
import { eventually } from '#test/support/daemon.js'
import { answersTo, playerQuery } from './chat-side.js'
import { dispatchCase } from './dispatch-world.js'
import { awaitAnswers, awaitEvent, claimAnswered, claimEnacted } from './steps.js'

const startMs = Date.UTC(2026, 5, 15, 10)
/** When every token of the case is dead, however long the case takes until then. */
const deadMs = startMs + answerLifeMs + 60_000
const slowMs = 10_000
const waitSeconds = 3

/** An answer that comes behind the time-out of the host, to a call that the platform has performed. */
const slow: WildReply = response => void setTimeout(() => response.end('{}'), slowMs).unref()

export const slowChat = dispatchCase({
  name: 'slow-chat',
  about: 'the platform takes 10 s, limits all calls, and is silent until the token of an interaction is dead',
  heldAtMs: startMs,
  play: async world => {
    const { story, chat, worker, host } = world
    const first = playerQuery('900100200300400701', startMs)
    chat.script(slow)
    equal(await worker.forward(first), 'accepted')
    await story.claim(
      `the host waits less than ${slowMs / 1_000} s, and sends the same answer again`,
      async () => {
        const answers = await awaitAnswers(world, first, 2)
        deepEqual([answers.length, new Set(answers).size], [2, 1])
      },
    )

    chat.script(rateLimitReply(waitSeconds, 'global'))
    const limitedFirst = playerQuery('900100200300400702', startMs)
    const held = playerQuery('900100200300400703', startMs)
    const before = chat.requests.length
    equal(await worker.forward(limitedFirst), 'accepted')
    await awaitAnswers(world, limitedFirst, 1)
    // The reply with the limit is at the host before these requests are; a call in flight meets no limit.
    for (let round = 0; round < 3; round += 1) await host.ask('/health', { token: null })
    equal(await worker.forward(held), 'accepted')
    await story.claim(`a global limit of ${waitSeconds} s holds every answer`, async () => {
      const requests = await eventually(
        () => Promise.resolve(chat.requests.slice(before)),
        // The first call, the same again, and that of the second query.
        ({ length }) => length >= 3,
      )
      const [limited, ...rest] = requests.map(({ atMs }) => atMs)
      ok(rest.every(atMs => atMs - (limited ?? 0) >= waitSeconds * 1_000))
    })

    const dead = playerQuery('900100200300400704', startMs)
    chat.script(...Array.from({ length: 9 }, () => () => undefined))
    equal(await worker.forward(dead), 'accepted')
    await awaitAnswers(world, dead, 1)
    await claimEnacted(world, host, 4)
    await host.kill()
    const sent = answersTo(world, dead).length
    world.setNowMs(deadMs)
    story.tell(
      'Erathia',
      `is killed, and starts again ${(deadMs - startMs) / 60_000} minutes later by its clock`,
    )
    await host.start()
    await story.claim('the log has the answer that is too late, and nothing is sent', async () => {
      const log = await awaitEvent(host, 'follow_up_failed')
      ok(log.includes('"why":"expired"'))
      equal(answersTo(world, dead).length, sent)
    })
    chat.unscript()
    const next = playerQuery('900100200300400705', deadMs)
    equal(await worker.forward(next), 'accepted')
    await claimEnacted(world, host, 5)
    await claimAnswered(world, next)
  },
})
