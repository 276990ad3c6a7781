import { keepSessions, withRuntime } from '#test/support/built-host.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import type { AttackCase } from '../case.js'
import { gitAtLength } from '../git.js'
import { startAttackSubject } from '../subject.js'
import { openTrial, type Trial } from '../trial.js'
import { endTrial, notStarted } from '../world-case.js'
import { attackers, baseWorld } from './base.js'

const fanOut = 1_000
const patienceMs = 60_000
const pollMs = 1_000

/** Commits the contributor store with a role ended, in a tree of a million paths: no daemon loads that. */
const revokeInUnloadableTree = (repository: Repository, role: string): void => {
  const { path, git } = repository
  const mktree = (lines: string): string => gitAtLength(path, ['mktree'], lines).trim()
  const store = gitAtLength(path, ['cat-file', 'blob', 'HEAD:kontrybutorzy.md'])
  const revoked = store.replaceAll(`- @rola: ${role} (2024-01:)`, `- @rola: ${role} (2024-01:2024-02)`)
  if (revoked === store) throw new Error(`nobody has the role ${role}`)
  const blob = gitAtLength(path, ['hash-object', '-w', '--stdin'], revoked).trim()
  const leaf = gitAtLength(path, ['hash-object', '-w', '--stdin'], 'x\n').trim()
  const names = Array.from({ length: fanOut }, (_, at) => String(at))
  const files = mktree(names.map(name => `100644 blob ${leaf}\t${name}.md\n`).join(''))
  const folders = mktree(names.map(name => `040000 tree ${files}\t${name}\n`).join(''))
  const top = gitAtLength(path, ['ls-tree', 'HEAD'])
    .replace(/^.*\tkontrybutorzy\.md$/mu, `100644 blob ${blob}\tkontrybutorzy.md`)
    .concat(`040000 tree ${folders}\tmilion\n`)
  const commit = git('commit-tree', mktree(top), '-p', 'HEAD', '-m', 'a million paths')
  git('update-ref', 'HEAD', commit)
}

/** Asks until the answer has the status, for as long as a look at HEAD may take. */
const eventually = async (
  trial: Trial,
  path: string,
  token: string | null,
  status: number,
): Promise<boolean> => {
  const endMs = Date.now() + patienceMs
  while (Date.now() < endMs && trial.isAlive()) {
    const [reply] = await trial.volley([{ method: 'GET', path, token }])
    if (reply?.status === status) return true
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  return false
}

/** A right that was taken away in a commit whose tree cannot be loaded (D63). */
export const frozenRights: AttackCase = {
  name: 'world/frozen-rights',
  kind: 'world',
  run: async ({ chance, seed }) => {
    const config = `${JSON.stringify({ server: { selfheal_interval_ms: 1_000, gc_interval_min: 0 } })}\n`
    const files = new Map([...baseWorld(seed).files, ['.svc/config.json', config]])
    const repository = repositoryOf(Object.fromEntries(files))
    try {
      const { gameId, role } = attackers.narrator
      const sessions = await withRuntime(repository.path, runtime =>
        keepSessions(runtime, [gameId], Date.now()),
      )
      const token = sessions.get(gameId) ?? null
      const started = await startAttackSubject(repository.path)
      if (started._tag === 'NotStarted') return notStarted(started.reason)
      const trial = await openTrial(started.subject, chance)
      const before = await trial.fire({ method: 'GET', path: '/sessions/summary', token })
      if (before?.status !== 200)
        trial.violate(`a narrator reads sessions with ${before?.status ?? 'no answer'}`)
      revokeInUnloadableTree(repository, role)
      if (!(await eventually(trial, '/sessions/summary', token, 403)))
        trial.violate('a role that was ended in a tree that cannot be loaded still gives its rights')
      const [health] = await trial.volley([{ method: 'GET', path: '/health', token: null }])
      if (health?.text.includes('snapshot_stale') !== true)
        trial.violate('the health does not tell that the snapshot is stale')
      const body = { name: 'Ślepy zapis', type: 'NPC' }
      const [written] = await trial.volley([
        { method: 'POST', path: '/entities', body, token: started.subject.token },
      ])
      if (written === null || written === undefined || written.status < 400)
        trial.violate(`a write on a stale snapshot answers ${written?.status ?? 'nothing'}`)
      return await endTrial(trial, true)
    } finally {
      repository.dispose()
    }
  },
}
