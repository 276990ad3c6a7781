import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { visibleDocument } from './visible-document.js'

const sheet = `**Karta Postaci:** https://karty.example/wit

**Tematy zastrzeżone:**
Pająki
- Węże

## I jeszcze
**Stan:**
Zdrowy.
`

const open = `**Karta Postaci:** https://karty.example/wit

**Stan:**
Zdrowy.
`

describe('a document that is served whole', () => {
  it('is without restricted topics for who may not read them', () => {
    deepEqual(visibleDocument(sheet, false), { content: open, cut: true })
    deepEqual(visibleDocument(sheet, true), { content: sheet, cut: false })
  })

  it('knows the section in each of its spellings, to the end of the file too', () => {
    for (const header of [
      '**Tematy zastrzezone:** Pająki',
      '**TEMATY ZASTRZEŻONE**: Pająki',
      '**Tematy zastrzeżone**',
    ])
      equal(
        visibleDocument(`A\r\n${header.normalize('NFD')}\r\n- Pająki\r\n`, false).content,
        'A\r\n',
        header,
      )
  })

  it('knows the title of the section in any markup, and what follows it', () => {
    for (const title of [
      '## Tematy zastrzeżone',
      '__Tematy zastrzeżone:__',
      '*Tematy zastrzeżone:*',
      '***Tematy zastrzeżone:***',
      'Tematy zastrzeżone: Pająki',
      '  **Tematy zastrzeżone:**',
      '\t**Tematy zastrzeżone:** Pająki',
      '**Tematy zastrzeżone (18+):**',
      '**Tematy zastrzeżone gracza:**',
      '> Temat zastrzeżony: Pająki',
    ]) {
      const text = `A\n${title}\nPająki\n- Węże\n\n**Absolutnie nie:** Żmije\nOsy\n**Stan:**\nZdrowy\n`
      for (const form of ['NFC', 'NFD'])
        equal(visibleDocument(text.normalize(form), false).content, 'A\n**Stan:**\nZdrowy\n', title)
      deepEqual(visibleDocument(text, true), { content: text, cut: false })
    }
  })

  it('ends a section under a Markdown title at a header of its depth', () => {
    const text = '# Wit\n## Tematy zastrzeżone\n### Pająki\nx\n## Dom\ny\n'
    equal(visibleDocument(text, false).content, '# Wit\n## Dom\ny\n')
  })

  it('is without topics below or inside of what is none', () => {
    const kept = '**Dodatkowe informacje:**\n- a\n'
    for (const below of [
      '    - **Tematy zastrzeżone:** Pająki\n        - Węże\n',
      '- Tematy zastrzeżone: Pająki\n',
      '    - @tematy_zastrzezone: Pająki\n',
      '- @info: Tematy zastrzeżone: Pająki\n',
      '- @tematyzastrzezone: Pająki\n',
      '- @temat_zastrzeżony: Pająki\n',
      '- @tematy zastrzezone gracza: Pająki\n',
      'Nie lubi tego. Ma tematy zastrzeżone: Pająki\n',
    ])
      equal(visibleDocument(`${kept}${below}- b\n`, false).content, `${kept}- b\n`, below)
    equal(visibleDocument('```\nTematy zastrzeżone:\nPająki\n```\nB\n', false).content, '```\n```\nB\n')
  })

  it('takes a deeper header for a part of the section, and one of the same depth for its end', () => {
    const section = '**Tematy zastrzeżone:** x\n### Dalsze\nB\n'
    equal(visibleDocument(section, false).content, '')
    equal(visibleDocument(`## Wit\n${section}## Odo\nC\n`, false).content, '## Wit\n## Odo\nC\n')
    equal(visibleDocument(`${section}**Stan:** Zdrowy\n`, false).content, '**Stan:** Zdrowy\n')
  })

  it('is without rows of restricted topics, what hangs on them included', () => {
    const index = '### Wit\n- @typ: Postać\n- @tematy_zastrzezone: Pająki\n    - Węże\n- @stan: Zdrowy\n'
    const shown = '### Wit\n- @typ: Postać\n- @stan: Zdrowy\n'
    deepEqual(visibleDocument(index, false), { content: shown, cut: true })
    deepEqual(visibleDocument(index, true), { content: index, cut: false })
  })

  it('takes for a part of the row what the reader of rows does, below blank lines too', () => {
    const kept = '- @stan: Zdrowy\n'
    for (const below of [
      '\n    Węże\n',
      '\n\n    - Węże\n\n    Żmije\n',
      '        - @klucz_api: x\n    - Węże\n',
    ])
      equal(visibleDocument(`- @tematy: Pająki\n${below}${kept}`, false).content.trimStart(), kept, below)
  })

  it('is without credentials for everybody', () => {
    const rows = ['@klucz_api: sha256:00', '@prfwebhook: https://chat.example/1', '@Webhook: x']
    for (const row of rows)
      for (const restricted of [true, false])
        deepEqual(visibleDocument(`A\n* ${row}\n  dalej\nB\n`, restricted), { content: 'A\nB\n', cut: true })
  })

  it('leaves every other text as it is, byte for byte', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('A', '', '- x', '**Stan:** y', '### H', '\t- @info: z', '\r')),
        lines => {
          const text = lines.join('\n')
          deepEqual(visibleDocument(text, false), { content: text, cut: false })
        },
      ),
    )
  })
})
