import type { RefusalTag } from '#protocol/refusal.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { contractFiles, contractInputs, contractTuningFiles } from '#test/support/contract-world.js'
import { proposedText, readTuningOf, tuningStore } from '#test/support/tuning.js'
import { benchTokens } from './bench.js'
import { type Provocation, provokeByBody } from './provocation.js'

const indexPath = 'encje/indeks.md'
const storePath = 'kontrybutorzy.md'

const worldWith = (files: Readonly<Record<string, string>>) => () =>
  buildSnapshot(contractInputs(files), null).snapshot

const replaceInStore = (from: string, to: string) =>
  worldWith({ [storePath]: contractFiles[storePath].replace(from, to) })

const tuningWith = (files: Readonly<Record<string, string>>) => {
  const tuning = tuningStore({ ...contractTuningFiles, ...files })
  return () => buildSnapshot({ ...contractInputs(), tuning }, null).snapshot
}

const question = 'Gdzie jest Wit?'

/** Two rows that ask the same. */
const twin = {
  'api-agent.jsonl':
    `${proposedText({ slug: 'wit', set: 'api-agent', question, answer: 'Tu.' })}\n` +
    `${proposedText({ slug: 'nikt', set: 'api-agent', question, answer: 'Nie wiem.' })}\n`,
}

/** Refusals of a world in which one committed file differs from that of the contract world. */
export const worldProvocations = {
  AmbiguousName: {
    ...provokeByBody('entities.update', {}),
    path: { name: 'Zamorze' },
    world: worldWith({ [indexPath]: `${contractFiles[indexPath]}\n### Zamorze\n- @typ: Grupa\n` }),
  },
  StoreUnreadable: {
    row: 'workflows.registerByChat',
    world: worldWith({ '.svc/bindings.json': '{' }),
  },
  no_role_declared: {
    row: 'workflows.assignByChat',
    world: replaceInStore('- @chat_rola: Narratorzy\n', ''),
  },
  RoleTooWeak: {
    ...provokeByBody('workflows.assignByChat', { gameId: '41002' }),
    world: replaceInStore('@rola: Czarodziej', '@rola: Radny'),
  },
  ambiguous_game_id: {
    row: 'auth.game.signIn',
    world: replaceInStore('@gameid: 41002', '@gameid: 41001'),
  },
  NotYourSession: {
    row: 'workflows.closeSession',
    body: { header: '2026-05-25, Targ, Żaneta' },
    ask: { token: benchTokens.plain('session.close') },
    world: worldWith({ 'sesje/targ.md': '### 2026-05-25, Targ, Żaneta\n' }),
  },
  EmptyEvalArm: {
    row: 'training.finetuneExport.get',
    query: [['set', 'api-agent']],
    world: tuningWith({}),
  },
  TuningSampleRepeated: {
    ...provokeByBody('training.finetuneSamples.confirm', { outcome: 'correct', content: 'Nie wiem.' }),
    front: () => ({ node: { readTuning: readTuningOf(tuningWith(twin)) } }),
    world: tuningWith(twin),
  },
  CloseBlocked: {
    row: 'workflows.closeSession',
    body: { header: '2026-05-25, Targ, Brzoza' },
    world: worldWith({
      'sesje/targ.md':
        '### 2026-05-25, Targ, Brzoza\n\nOpis.\n\n- @Transfer: 2 talary, Wit Kłos -> Bogdann\n',
    }),
  },
} as const satisfies Readonly<Partial<Record<RefusalTag, Provocation>>>
