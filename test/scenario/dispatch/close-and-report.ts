import { deepEqual, equal, match } from 'node:assert/strict'
import { type Interaction, isDuplicate } from '#test/support/chat/worker-double.js'
import { gitIn } from '#test/support/repository.js'
import { councillor, openSession, player } from './chat-settings.js'
import { dispatchCase } from './dispatch-world.js'
import { awaitAnswers, readCounts } from './steps.js'

/** A close of the session, which a councillor asks for now. Its token names it in the calls of the platform. */
export const closeOf = (id: string, sentAtEpochMs = Date.now()): Interaction => ({
  id,
  kind: 'close',
  sentAtEpochMs,
  vars: {
    SVC_CLOSE_CHAT_ID: councillor,
    SVC_CLOSE_HEADER: openSession,
    SVC_INTERACTION_TOKEN: `token-${id}`,
  },
})

const reportOf = (id: string, text: string): Interaction => ({
  id,
  kind: 'report',
  sentAtEpochMs: Date.now(),
  vars: {
    SVC_REPORTER_CHAT_ID: player,
    SVC_REPORT_B64: Buffer.from(text).toString('base64'),
    SVC_INTERACTION_TOKEN: `token-${id}`,
  },
})

/** The interactions whose effects the remote has below a path, the newest first. */
export const effectsIn = (bare: string, path: string): ReadonlyArray<string> =>
  gitIn(bare, 'log', '--format=%(trailers:key=Svc-Interaction,valueonly)', 'main', '--', path)
    .split('\n')
    .filter(line => line !== '')

export const ledger = '.svc/close/ledger.jsonl'

export const closeAndReport = dispatchCase({
  name: 'close-and-report',
  about: 'a report and a close are enacted once, and the player reads of a close when the remote has it',
  play: async world => {
    const { story, worker, host, bare } = world
    const ask = async (interaction: Interaction, said: RegExp): Promise<void> => {
      equal(await worker.forward(interaction), 'accepted')
      await story.claim(`the player of ${interaction.id} reads ${said.source}`, async () => {
        const [text, ...more] = await awaitAnswers(world, interaction, 1)
        match(text ?? '', said)
        deepEqual(more, [])
      })
    }
    const report = reportOf('900100200300400710', '### 2026-05-15, Brama, Olcha\n\nByło cicho.\n')
    await ask(report, /jest zapisane/)
    await ask(reportOf('900100200300400711', 'Sam tekst.'), /nie ma nagłówka sesji/)
    const close = closeOf('900100200300400720')
    await ask(close, /jest zamknięta/)
    await story.claim('the remote has the close, and the report before it', () => {
      deepEqual(effectsIn(bare, ledger), [close.id])
      deepEqual(effectsIn(bare, 'zgłoszenia'), [report.id])
    })
    await story.claim('a replay is a duplicate', async () => {
      equal(isDuplicate(await worker.post(close)), true)
    })
    await ask(closeOf('900100200300400721'), /już zamknięta od .*„Karol”/)
    await story.claim('each of them has one effect', async () => {
      deepEqual([effectsIn(bare, ledger).length, effectsIn(bare, 'zgłoszenia').length], [1, 1])
      const counts = { accepted: 2, enacted: 1, failed: 0, refused: 1 }
      deepEqual([await readCounts(host, 'close'), await readCounts(host, 'report')], [counts, counts])
    })
  },
})
