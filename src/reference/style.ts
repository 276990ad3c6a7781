/** The style sheet of the HTML pages. */
export const styleSheet = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 70rem; padding: 0 1rem 4rem; }
nav { border-bottom: 1px solid #8884; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0.75rem 0; }
h2 { margin-top: 2.5rem; overflow-wrap: anywhere; }
h2 a { color: inherit; text-decoration: none; }
pre { background: #8881; overflow-x: auto; padding: 0.75rem; }
code { font: 0.875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #8884; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
`
