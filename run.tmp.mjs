import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { decodedFile } from '#actors/corpus-keeper/source-file.js'
import { instantOf } from '#protocol/atoms/instant.js'
import { slicedBuild } from '#src/corpus/build.js'
import { isRead, roleOf } from '#src/corpus/layout.js'
import { parsedFile } from '#src/corpus/parsed-file.js'
import { recordingOf } from '#src/lint/claim-lint.js'

const repo = '/tmp/sync-bench/world-10'
const cpu = () =>
  Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6
const paths = execFileSync('git', ['-c', 'core.quotePath=false', 'ls-files'], { cwd: repo, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter(p => isRead(roleOf(p)))
  .sort()
let texts = new Map(paths.map(p => [p, readFileSync(repo + '/' + p)]))
let n = 0
const parse = (p, b) =>
  parsedFile(decodedFile({ path: p, blob: String(n++), bytes: b.length, mode: '100644' }, b))
let lore = new Map(paths.map(p => [p, parse(p, texts.get(p))]))
let before = null
const md = paths.filter(p => p.endsWith('.md') && /^(encje|Wątki|Postaci)/.test(p))
console.log(paths.length, md.length)
for (let k = 0; k < 6; k++) {
  const inputs = {
    commit: null,
    id: String(k),
    day: '2026-01-01',
    lore,
    works: { corpus: null, files: [] },
    findings: [],
  }
  const g = slicedBuild(inputs, before)
  const out = []
  let total = 0,
    i = 0
  for (;;) {
    const t3 = cpu()
    const s = g.next()
    const d = cpu() - t3
    total += d
    i++
    if (d > 3) out.push(i + ':' + d.toFixed(1))
    if (s.done) {
      before = s.value
      break
    }
  }
  const t = cpu()
  recordingOf(before.snapshot, [], instantOf(0), null)
  const l = cpu() - t
  console.log(k, 'slices', i, 'total', total.toFixed(0), out.join(' '), 'lint', l.toFixed(1))
  lore = new Map(lore)
  const t2 = cpu()
  for (let j = 0; j < 200; j++) {
    const p = md[Math.floor((j * md.length) / 200)]
    const b = Buffer.concat([
      texts.get(p),
      Buffer.from(p.startsWith('encje/') ? '- @info: Dopisek ' + k + '.\n' : '\nDopisek ' + k + '.\n'),
    ])
    texts.set(p, b)
    lore.set(p, parse(p, b))
  }
  console.log('parse', (cpu() - t2).toFixed(1), 'index', md.filter((p, j) => p.startsWith('encje')).length)
}
