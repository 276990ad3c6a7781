import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import { startNode, type TestNode } from '#test/support/node.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

interface Page {
  readonly Searched: ReadonlyArray<string>
  readonly Total: number
  readonly Items: ReadonlyArray<{ readonly source: string; readonly snippet: string; readonly line: number }>
}

const ask = async (node: TestNode, query: string, init: object = {}) => {
  const reply = await node.client.ask(`/search?${new URLSearchParams(query).toString()}`, init)
  return { status: reply.status, page: reply.json as Page, headers: reply.headers, text: reply.text }
}

/** Waits until the query finds this many sources. */
const waitForTotal = (node: TestNode, query: string, total: number) =>
  eventually(
    () => ask(node, query),
    ({ status, page }) => status === 200 && page.Total === total,
  )

const config = (works: string, annotations: string): string =>
  JSON.stringify({
    server: { selfheal_interval_ms: 100, search_index: 'all' },
    corpora: { dziel: works, adnotacje: annotations },
  })

const lore = {
  '.svc/format.json': '{"format": 2}\n',
  'encje/indeks.md': '### Kupiec Orrin\n- @typ: NPC\n- @alias: Orrin\n',
  'Opisy/port.md': '# Port\n\nW porcie psy pilnują statków Orrina.\n',
  'Wątki/sesje.md': '### 2024-05-03, Most, Solmyr\n\nWieża spłonęła.\n',
}

const withTrees = async (
  run: (
    node: TestNode,
    trees: { readonly works: Repository; readonly annotations: Repository },
  ) => Promise<void>,
): Promise<void> => {
  const text = '# Kronika\n\nLudzie z gór mówią o smokach.\n'
  const works = repositoryOf({ 'kroniki/smoki.md': text })
  const annotations = repositoryOf({
    'lematy/dziel/kroniki/smoki.md.json': JSON.stringify({
      sha256: createHash('sha256').update(text).digest('hex'),
      lemmas: [[text.indexOf('mówią'), text.indexOf('mówią') + 5, 'rzec']],
    }),
    'lematy/lore/Opisy/port.md.json': JSON.stringify({ sha256: 'f'.repeat(64), lemmas: [] }),
  })
  const node = await startNode({
    files: { ...lore, '.svc/config.json': config(works.path, annotations.path) },
    allowTree: [works.path, annotations.path],
  })
  try {
    await run(node, { works, annotations })
  } finally {
    await node.stop()
    works.dispose()
    annotations.dispose()
  }
}

describe('the search of a host', () => {
  it('finds texts of every tree, a change, a removal, and lemmas of sidecars', async () => {
    await withTrees(async (node, { works }) => {
      const { page } = await waitForTotal(node, 'q=smok&scope=external', 1)
      deepEqual([page.Items[0]?.source, page.Items[0]?.line], ['kroniki/smoki.md', 1])
      ok(page.Items[0]?.snippet.includes('o smokach'))
      await waitForTotal(node, 'q=rzec&scope=external', 1)
      await waitForTotal(node, 'q=wież%C4%85&scope=session', 1)
      await waitForTotal(node, 'q=pies&scope=lore', 1)
      const integrity = await node.client.ask('/entities/integrity')
      equal(integrity.status, 200)
      ok(
        node.host
          .snapshot()
          ?.findings.some(
            ({ kind, subject }) => kind === 'LemmasOutdated' && subject?.includes('port.md') === true,
          ),
      )
      works.commit({ 'kroniki/smoki.md': '# Kronika\n\nGryfy wróciły.\n' })
      await waitForTotal(node, 'q=gryfem&scope=external', 1)
      await waitForTotal(node, 'q=smok&scope=external', 0)
      node.repository.commit({ 'Opisy/port.md': '# Port\n\nLatarnia zgasła.\n' })
      await waitForTotal(node, 'q=latarni%C4%85&scope=lore', 1)
      await waitForTotal(node, 'q=statek&scope=lore', 0)
      ok(
        readFileSync(join(node.host.checkout.state, 'search', 'zero-results.jsonl'), 'utf8').includes('smok'),
      )
    })
  })

  it('answers a query that requires a commit once its index has it', async () => {
    await withTrees(async node => {
      await waitForTotal(node, 'q=statek&scope=lore', 1)
      node.repository.commit({ 'Opisy/nowy.md': '# Nowy\n\nLatarnik śpi.\n' })
      const commit = node.repository.head().trim()
      await node.host.look()
      const { page } = await eventually(
        () => ask(node, 'q=latarnika&scope=lore', { headers: { 'X-Svc-Min-Commit': commit } }),
        ({ status }) => status !== 409,
      )
      equal(page.Total, 1)
    })
  })
})
