const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for the content of an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => entities[char] ?? char)

export const styleSheetPath = '/reference/style.css'

const links: ReadonlyArray<readonly [href: string, text: string]> = [
  ['/', 'Host'],
  ['/reference/', 'Reference'],
  ['/reference/routes.html', 'Routes'],
  ['/reference/refusals.html', 'Refusals'],
  ['/reference/events.html', 'Events'],
  ['/reference/config.html', 'Configuration'],
  ['/reference/metrics.html', 'Metrics'],
  ['/reference/exit-codes.html', 'Exit codes'],
]

const navigation = links.map(([href, text]) => `<a href="${href}">${text}</a>`).join('\n')

/**
 * A whole document without scripts. `title` is text; `body` is HTML in which the caller has escaped every
 * text.
 */
export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Kronika</title>
<link rel="stylesheet" href="${styleSheetPath}">
</head>
<body>
<nav>
${navigation}
</nav>
<main>
${body}
</main>
</body>
</html>
`
