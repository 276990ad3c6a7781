import { ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { noEntries } from '#actors/corpus-keeper/named-files.js'
import { documentVersion } from '#src/domain/search/texts/pdf-documents.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { inputsOf } from '#test/support/world.js'
import { loreContent, sessionContent } from './texts.js'

describe('the versions of the texts of the lore', () => {
  it('name how documents are made, so that a saved index reads every text again when that changes', () => {
    const inputs = inputsOf({
      'Opisy/port.md': '# Port\n\nStatki.\n',
      'Wątki/a.md': '### 2024-05-03, Most, Ofelia\n\nWieża.\n',
    })
    const loaded = {
      lore: inputs.lore,
      inputs,
      annotations: { files: noEntries, known: new Map(), lexicon: null, findings: [] },
      loreHead: { commit: inputs.commit, id: inputs.id },
      build: buildSnapshot(inputs, null),
    }
    const breathe = (): Promise<void> => Promise.resolve()
    for (const content of [atOnce(loreContent(loaded, breathe)), atOnce(sessionContent(loaded, breathe))]) {
      ok(content.sources.size > 0)
      for (const version of content.sources.values()) ok(version.startsWith(`${documentVersion}.`), version)
    }
  })
})
