import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { judgePackageFiles } from './package-files.js'

const whole = [
  ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'],
  ...['dist/build-id', 'dist/src/main.js', 'dist/src/main.js.map', 'dist/src/reader-thread.js'],
  ...['dist/src/rank-thread.js', 'dist/src/build-thread.js', 'dist/src/index-thread.js'],
  ...[
    'docs/vocabulary.md',
    'docs/howto/develop/add-a-route.md',
    'docs/reference/openapi.json',
    'docs/reference/config.md',
  ],
  ...['docs/reference/html/index.html', 'docs/reference/html/routes.html', 'docs/reference/html/style.css'],
  ...[
    'deploy/systemd/kronika.service',
    'deploy/caddy/Caddyfile',
    'deploy/container/serve.sh',
    'deploy/prometheus/kronika.rules.yml',
  ],
  ...['actors', 'dispatch', 'fleet', 'writes'].map(name => `deploy/grafana/${name}.json`),
  'docs/runbook/README.md',
]

describe('the files of the package', () => {
  it('are the program, its maps, the documents and the samples for operators', () => {
    deepEqual(judgePackageFiles(whole), [])
  })

  it('have no source, no test, no state and no file of development', () => {
    const strays = [
      ...[
        'src/main.ts',
        'dist/src/main.ts',
        'dist/src/cli/program.js',
        'test/howto/run.ts',
        'dist.next/a.js',
      ],
      ...[
        'node_modules/nact/package.json',
        '.ci/run',
        'build.tsbuildinfo',
        'docs/draft.txt',
        'docs/reference/html/draft.js',
        'var/demo/x.md',
      ],
    ]
    deepEqual(
      judgePackageFiles([...whole, ...strays]),
      strays.map(file => `${file} is neither program nor document: exclude it in "files" of package.json`),
    )
  })

  it('have the entry of the program', () => {
    deepEqual(judgePackageFiles(whole.filter(file => file !== 'dist/src/main.js')), [
      'dist/src/main.js is missing',
    ])
  })
})
