import { suggestionsInSlices } from '#src/domain/normalization/suggestions.js'
import { zeroResultPage } from '#src/http/handlers/zero-result-page.js'
import { worldOf, day } from '#test/support/world.js'
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
const drain = (work: Iterator<unknown>) => { let longest = 0; const from = cpu(); for (;;) { const s = cpu(); const d = work.next(); longest = Math.max(longest, cpu() - s); if (d.done) return `${(cpu() - from).toFixed(0)} ms, longest ${longest.toFixed(1)}; ` } }
const n = 30_000
for (const start of ['Straż Miejska Portowa', 'Straż Miejska Portowa Dolnego Miasta Nad Rzeką Którą Nazwano Imieniem Króla Starego']) {
  const names = Array.from({ length: n }, (_, at) => `### ${start} ${String(at).padStart(5, '0')}\n- @typ: Lokacja\n${at < 1000 ? `- @lokacja: ${start} ${String(at).padStart(3, 'z')}xy\n` : ''}`)
  const w = worldOf({ 'encje/indeks.md': names.join('\n') })
  const lore = { ...w, day: day('2026-01-01') } as never
  console.log('suggestions', drain(suggestionsInSlices(lore, { type: undefined, minOccurrences: undefined }, { named: true } as never, { sessions: false } as never)))
  const misses = Array.from({ length: 100 }, (_, at) => ({ query: `${start} ${String(at).padStart(3, 'z')}xy`, count: 1 }))
  console.log('zero results, 20', drain(zeroResultPage(lore, misses as never, {})), '100', drain(zeroResultPage(lore, misses as never, { limit: 100 })))
}
