import { equal } from 'node:assert/strict'
import { isWorksDocument } from './pdf-documents.js'

describe('a document of the works tree', () => {
  it('is Markdown or the text of a PDF, outside the folders of the host', () => {
    for (const path of ['opisy/most.md', 'skany/akt.pdf.json']) equal(isWorksDocument(path), true, path)
    for (const path of ['governance/a.md', '.svc/x.pdf.json', 'lematy/a.md', 'zgłoszenia/a.pdf.json'])
      equal(isWorksDocument(path), false, path)
  })

  it('has a path without restricted topics, because an answer shows it', () => {
    for (const path of ['opisy/Tematy zastrzeżone - x.md', 'skany/Te\u00admaty zastrzeżone: x.pdf.json'])
      equal(isWorksDocument(path), false, path)
  })
})
