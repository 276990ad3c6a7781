import { equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { headingAnchor, renderHtml } from './render-html.js'

describe('the reference as HTML', () => {
  const show = (text: string): string =>
    renderHtml({ title: 'T', intro: 'I', blocks: [{ _tag: 'Paragraph', text }] })

  it('shows words between two backquotes as code, and keeps a backquote without another one', () => {
    match(show('`a<b` and `` ` c'), /<p><code>a&lt;b<\/code> and <code><\/code> ` c<\/p>/)
  })

  it('has an anchor of its own for each row', () => {
    const titles = Object.values(routes).map(({ method, path }) => `${method} ${path}`)
    equal(new Set(titles.map(headingAnchor)).size, titles.length)
  })
})
