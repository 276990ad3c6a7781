import { equal, ok } from 'node:assert/strict'
import { textOfLines } from '#test/support/text-of-lines.js'
import { publicDiff } from './preview.js'

const index = textOfLines(
  '### Wit',
  '- @typ: Postać',
  '### Druh',
  '- @tematy_zastrzezone: Pająki',
  '    - Węże',
  '- @stan: Zdrowy',
)

describe('the diff of a dry run', () => {
  it('shows the lines that change, and none beside them', () => {
    const after = index.replace('### Druh\n', '- @stan: Ranny\n### Druh\n')
    equal(
      publicDiff([{ path: 'encje/a.md', before: index, after, splices: null }]),
      textOfLines('--- a/encje/a.md', '+++ b/encje/a.md', '@@ -2,0 +3,1 @@', '+- @stan: Ranny'),
    )
  })

  it('tells where a restricted topic stands, and not what it is', () => {
    equal(
      publicDiff([
        { path: 'encje/a.md', before: index, after: textOfLines('### Wit', '- @typ: Postać'), splices: null },
      ]),
      textOfLines(
        '--- a/encje/a.md',
        '+++ b/encje/a.md',
        '@@ -3,4 +2,0 @@',
        '-### Druh',
        '-[withheld]',
        '-[withheld]',
        '-- @stan: Zdrowy',
      ),
    )
  })

  it('keeps hashes of keys and webhooks back, of a new file too', () => {
    const after = textOfLines(
      '### Wit',
      `- @klucz_api: sha256:${'a'.repeat(64)}`,
      '- @prfwebhook: https://chat.example/1',
      '- @rola: gracz',
    )
    const diff = publicDiff([{ path: 'kontrybutorzy.md', before: null, after, splices: null }])
    equal(diff.match(/^\+\[withheld\]$/gm)?.length, 2)
    ok(!diff.includes('aaaa') && !diff.includes('chat.example') && diff.includes('+- @rola: gracz'))
  })

  it('names the lines of either side by their own numbers', () => {
    const before = textOfLines('- @stan: A', '- @tematy: Pająki', '- @stan: B')
    const after = textOfLines('- @info: x', '- @stan: A', '- @tematy: Węże', '- @stan: C')
    equal(
      publicDiff([{ path: 'encje/a.md', before, after, splices: null }])
        .split('\n')
        .slice(2)
        .join('\n'),
      textOfLines(
        '@@ -0,0 +1,1 @@',
        '+- @info: x',
        '@@ -2,2 +3,2 @@',
        '-[withheld]',
        '-- @stan: B',
        '+[withheld]',
        '+- @stan: C',
      ),
    )
  })

  it('shows no hash of a session, whose text may have lines that are withheld', () => {
    const line = (hash: string): string => `{"header":"2026-05-10, Most, Brzoza","sha256":"${hash}","by":"x"}`
    const [before, after] = [
      textOfLines(line('a'.repeat(64))),
      textOfLines(line('0b'.repeat(32)), line('c1'.repeat(32))),
    ]
    equal(
      publicDiff([{ path: '.svc/sessions/hashes.jsonl', before, after, splices: null }])
        .split('\n')
        .slice(3)
        .join('\n'),
      textOfLines(`-${line('[withheld]')}`, `+${line('[withheld]')}`, `+${line('[withheld]')}`),
    )
  })

  it('names a staged draft by its path', () => {
    const path = `.svc/staged/${'0b'.repeat(32)}.md`
    ok(publicDiff([{ path, before: null, after: textOfLines('x'), splices: null }]).includes(`+++ b/${path}`))
  })
})
