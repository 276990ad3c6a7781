/**
 * What the tarball has at least: the program, the entries of its threads, the pages that npm shows, and those that
 * the operations listener serves.
 */
const required: ReadonlyArray<string> = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'dist/build-id',
  'dist/src/main.js',
  'dist/src/reader-thread.js',
  'dist/src/rank-thread.js',
  'dist/src/build-thread.js',
  'dist/src/index-thread.js',
  'docs/reference/openapi.json',
  'docs/reference/config.md',
  'docs/reference/html/index.html',
  'docs/reference/html/style.css',
  'docs/runbook/README.md',
  'deploy/prometheus/kronika.rules.yml',
  'deploy/grafana/actors.json',
  'deploy/grafana/dispatch.json',
  'deploy/grafana/fleet.json',
  'deploy/grafana/writes.json',
  'deploy/systemd/kronika.service',
  'deploy/caddy/Caddyfile',
  'deploy/container/serve.sh',
]

/** Everything that the tarball may have: the bundle with its maps, pages, and samples for operators. */
const allowed: ReadonlyArray<RegExp> = [
  /^(?:package\.json|LICENSE|[A-Z]+\.md)$/,
  /^dist\/(?:build-id|src\/[\w-]+\.js(?:\.map)?)$/,
  /^docs\/(?:[\w-]+\/){0,2}[\w-]+\.md$/,
  /^docs\/reference\/openapi\.json$/,
  /^docs\/reference\/html\/(?:[\w-]+\.html|style\.css)$/,
  /^deploy\/(?:[\w-]+\/)?[\w.-]+$/,
]

/** What is wrong with the files of a tarball, as lines for a person; empty: nothing. */
export const judgePackageFiles = (files: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...required.filter(file => !files.includes(file)).map(file => `${file} is missing`),
  ...files
    .filter(file => !allowed.some(pattern => pattern.test(file)))
    .map(file => `${file} is neither program nor document: exclude it in "files" of package.json`),
]
