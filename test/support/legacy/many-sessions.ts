import { legacyWorld, type WorldTexts } from './legacy-world.js'

const sessionsPerFile = 100
const dayMs = 86_400_000

const sessionText = (nth: number, placeCount: number): string => {
  const date = new Date(Date.UTC(2015, 0, 1) + (nth % 3_600) * dayMs).toISOString().slice(0, 10)
  return [
    `### ${date}, Sesja numer ${nth}, Wierzba`,
    '',
    '- Lokalizacje:',
    '    - Dolny Młyn',
    `    - Miejsce ${nth % placeCount}`,
    '- PU:',
    '    - Bogna Ruczaj: 0,1',
    '    - Mirko: 0,1',
    '',
    `Kowal Jaromir szedł pierwszy (${nth}).`,
    '',
  ].join('\n')
}

/** The legacy world with this many more sessions, in threads of 100, with one place for each 15 of them. */
export const manySessions = (count: number): WorldTexts => {
  const placeCount = Math.max(1, Math.floor(count / 15))
  const places = Array.from({ length: placeCount }, (_, at) => `* Miejsce ${at}\n    - @lokacja: Kotlina\n`)
  const threads = Array.from({ length: Math.ceil(count / sessionsPerFile) }, (_, nth) => {
    const from = nth * sessionsPerFile
    const own = Array.from({ length: Math.min(sessionsPerFile, count - from) }, (_unused, at) =>
      sessionText(from + at, placeCount),
    )
    return [`Wątki/wątek-${nth}.md`, `# Sesje\n\n${own.join('\n')}`] as const
  })
  return {
    ...legacyWorld,
    'entities.md': `${legacyWorld['entities.md'] ?? ''}\n## Lokacja\n\n${places.join('\n')}`,
    ...Object.fromEntries(threads),
  }
}
