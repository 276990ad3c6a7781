import { writeFileSync } from 'node:fs'
import { askExamples } from './ask-examples.js'
import { askRefusals } from './ask-refusals.js'

/** `npm run examples` writes the answers that the reference shows; run `npm run docs` after it. */
const folder = new URL('../../protocol/', import.meta.url)

const answers = await askExamples()
const rows = Object.entries(answers).map(([id, shown]) => {
  const lines = shown.map(answer => `    ${JSON.stringify(answer)}`)
  return `  ${JSON.stringify(id)}: [\n${lines.join(',\n')}\n  ]`
})
writeFileSync(new URL('answer-examples.json', folder), `{\n${rows.join(',\n')}\n}\n`)
const refused = Object.entries(await askRefusals())
const lines = refused.map(([tag, body]) => `  ${JSON.stringify(tag)}: ${JSON.stringify(body)}`)
writeFileSync(new URL('refusal-examples.json', folder), `{\n${lines.join(',\n')}\n}\n`)
process.stdout.write(`answers of ${rows.length} rows and ${lines.length} refusals written\n`)
process.exit(0)
