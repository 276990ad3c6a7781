import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type ExitCode, exitCodes, exitRows } from '#protocol/exit-code.js'
import type { Commands } from './commands.js'
import type { CompletionOptions } from './completion/completion.js'
import { run } from './program.js'

const runRecorded = async (...argv: ReadonlyArray<string>) => {
  const calls: Array<readonly [string, unknown]> = []
  const command = (name: string) => (options: unknown) => {
    calls.push([name, options])
    return Promise.resolve<ExitCode>(exitCodes.ok)
  }
  const commands: Commands = {
    serve: command('serve'),
    demo: command('demo'),
    init: command('init'),
    adopt: command('adopt'),
    doctor: command('doctor'),
    enact: { award: command('award'), close: command('close'), report: command('report') },
    token: { mint: command('mint'), list: command('list'), revoke: command('revoke') },
    keys: { list: command('list'), rotate: command('rotate'), revoke: command('revoke') },
    model: { add: command('add') },
    fleet: {
      status: command('status'),
      takeover: command('takeover'),
      announce: command('announce'),
      acceptRewrite: command('acceptRewrite'),
    },
    routes: command('routes'),
    openapi: () => command('openapi')({}),
    completion: command('completion'),
    workload: command('workload'),
    trust: command('trust'),
  }
  const written = {
    out: process.stdout.write.bind(process.stdout),
    err: process.stderr.write.bind(process.stderr),
  }
  let said = ''
  let out = ''
  process.stdout.write = text => {
    out += String(text)
    return true
  }
  process.stderr.write = text => {
    said += String(text)
    return true
  }
  try {
    const code = await run(['node', 'kronika', ...argv], commands, '1.2.3')
    return { code, calls, said, out }
  } finally {
    process.stdout.write = written.out
    process.stderr.write = written.err
  }
}

describe('the command line', () => {
  it('hands enact award a month or the word for the one before, and nothing else', async () => {
    const { code, calls } = await runRecorded('enact', 'award', '--month', 'previous', '--repo', 'lore')
    equal(code, 0)
    deepEqual(calls, [['award', { month: 'previous', repo: 'lore', town: '', dryRun: false, json: false }]])
    for (const month of ['next', '2026-1', '2026-13', '26-01', ''])
      equal((await runRecorded('enact', 'award', '--month', month)).code, 64, month)
  })

  it('hands serve what it was given', async () => {
    const { code, calls } = await runRecorded('serve', '--repo', 'lore', '--port', '8123', '--town', 'Tuzmer')
    equal(code, 0)
    deepEqual(calls, [['serve', { repo: 'lore', port: 8123, town: 'Tuzmer' }]])
  })

  it('hands serve no town where a unit or a container leaves it empty', async () => {
    const { code, calls } = await runRecorded('serve', '--repo', 'lore', '--town', '')
    equal(code, 0)
    deepEqual(calls, [['serve', { repo: 'lore', town: '' }]])
  })

  it('hands init its folder', async () => {
    deepEqual((await runRecorded('init', 'lore')).calls, [['init', { directory: 'lore', json: false }]])
    equal((await runRecorded('init')).code, 64)
  })

  it('hands demo its folder and the defaults', async () => {
    const { calls } = await runRecorded('demo', 'somewhere')
    deepEqual(calls, [['demo', { directory: 'somewhere', seed: 'kronika', serve: false, town: '' }]])
  })

  it('hands demo the town that it is to serve as', async () => {
    const { calls } = await runRecorded('demo', 'x', '--serve', '--town', 'Tuzmer')
    deepEqual(calls, [['demo', { directory: 'x', seed: 'kronika', serve: true, town: 'Tuzmer' }]])
  })

  it('hands keys list where to look', async () => {
    deepEqual((await runRecorded('keys', 'list')).calls, [['list', { repo: '.', json: false }]])
    deepEqual((await runRecorded('keys', 'list', '--repo', 'x', '--state', 'y', '--json')).calls, [
      ['list', { repo: 'x', state: 'y', json: true }],
    ])
  })

  it('hands keys rotate its town and the defaults', async () => {
    const { code, calls } = await runRecorded('keys', 'rotate', '--town', 'Tuzmer', '--raise-epoch')
    equal(code, 0)
    deepEqual(calls, [['rotate', { repo: '.', town: 'Tuzmer', raiseEpoch: true, json: false }]])
  })

  it('hands keys revoke the town as it is written', async () => {
    const { code, calls } = await runRecorded('keys', 'revoke', '--town', ' gone?', '--json')
    equal(code, 0)
    deepEqual(calls, [['revoke', { repo: '.', town: ' gone?', json: true }]])
  })

  it('hands the token commands what they were given', async () => {
    const where = { repo: '.', json: false }
    const minting = ['token', 'mint', '--name', 'bot', '--capability', 'sync.run', 'lore.edit']
    deepEqual((await runRecorded(...minting, '--expires-in', '12h')).calls, [
      ['mint', { ...where, name: 'bot', capability: ['sync.run', 'lore.edit'], expiresIn: 43_200 }],
    ])
    deepEqual((await runRecorded('token', 'list', '--json')).calls, [['list', { ...where, json: true }]])
    deepEqual((await runRecorded('token', 'revoke', '00ff', '--repo', 'x')).calls, [
      ['revoke', { ...where, repo: 'x', id: '00ff' }],
    ])
  })

  it('hands model add the folder, and the id where one is given', async () => {
    const where = { repo: '.', json: false }
    deepEqual((await runRecorded('model', 'add', './claims-2')).calls, [
      ['add', { ...where, folder: './claims-2' }],
    ])
    deepEqual((await runRecorded('model', 'add', 'x', '--id', 'claims-3', '--repo', 'lore')).calls, [
      ['add', { repo: 'lore', json: false, folder: 'x', id: 'claims-3' }],
    ])
    equal((await runRecorded('model', 'add')).code, exitCodes.usage)
  })

  it('hands the fleet commands what they were given', async () => {
    const where = { repo: '.', json: false }
    deepEqual((await runRecorded('fleet', 'status')).calls, [['status', { ...where, watch: false }]])
    deepEqual((await runRecorded('fleet', 'status', '--watch', '--json', '--state', 'y')).calls, [
      ['status', { ...where, state: 'y', json: true, watch: true }],
    ])
    const asked = ['fleet', 'takeover', '--reason', 'Erathia is dark', '--target', 'Deyja', '--force']
    deepEqual((await runRecorded(...asked, '--dry-run')).calls, [
      [
        'takeover',
        { ...where, reason: 'Erathia is dark', target: 'Deyja', force: true, dryRun: true, wait: false },
      ],
    ])
    deepEqual((await runRecorded('fleet', 'takeover', '--reason', 'dark', '--wait')).calls, [
      ['takeover', { ...where, reason: 'dark', force: false, dryRun: false, wait: true }],
    ])
    const announced = [
      'fleet',
      'announce',
      '--apex',
      'Deyja',
      '--request',
      '7',
      '--at',
      '2026-06-15T12:00:00Z',
    ]
    deepEqual((await runRecorded(...announced)).calls, [
      ['announce', { ...where, apex: 'Deyja', request: 7, at: '2026-06-15T12:00:00Z', dryRun: false }],
    ])
  })

  it('hands trust the addresses and folders, each of what is known', async () => {
    const where = { repo: '.', dryRun: false, json: false }
    deepEqual((await runRecorded('trust')).calls, [['trust', { ...where, keys: [] }]])
    const keys = ['integrations.forge.api_url', 'integrations.chat.issuer']
    deepEqual((await runRecorded('trust', ...keys, '--tree', 'a', 'b', '--forget-tree', 'c')).calls, [
      ['trust', { ...where, keys, tree: ['a', 'b'], forgetTree: ['c'] }],
    ])
    equal((await runRecorded('trust', 'server.port')).code, 64)
    deepEqual((await runRecorded('serve', '--repo', 'x', '--allow-tree', 'a', 'b')).calls, [
      ['serve', { repo: 'x', town: '', allowTree: ['a', 'b'] }],
    ])
  })

  it('hands workload the command after --, with its options', async () => {
    const { calls } = await runRecorded(
      'workload',
      'settlement',
      '--repo',
      'x',
      '--',
      'curl',
      '-X',
      'POST',
      '--repo',
    )
    deepEqual(calls, [
      ['workload', { repo: 'x', workload: 'settlement', command: ['curl', '-X', 'POST', '--repo'] }],
    ])
    deepEqual((await runRecorded('workload', 'map_checkup')).calls, [
      ['workload', { repo: '.', workload: 'map_checkup', command: [] }],
    ])
  })

  for (const argv of [
    [],
    ['workload'],
    ['workload', 'tidy'],
    ['workload', 'settlement', 'curl', '-X', 'POST'],
    ['fleet'],
    ['fleet', 'takeover'],
    ['fleet', 'takeover', 'Deyja', '--reason', 'dark'],
    ['fleet', 'announce'],
    ['fleet', 'announce', '--apex', 'Deyja', '--request', '0'],
    ['fleet', 'announce', '--apex', 'Deyja', '--at', 'yesterday'],
    ['token'],
    ['token', 'mint', '--name', 'bot'],
    ['token', 'mint', '--capability', 'sync.run'],
    ['token', 'mint', '--name', 'bot', '--capability', 'sync.run', '--expires-in', '12'],
    ['token', 'mint', '--name', 'bot', '--capability', 'sync.run', '--expires-in', '0s'],
    ['token', 'mint', '--name', 'bot', '--capability', 'sync.run', '--expires-in', '4000d'],
    ['token', 'revoke'],
    ['token', 'burn'],
    ['serve'],
    ['serve', '--repo', 'x', '--port', '70000'],
    ['serve', '--repo', 'x', '--port', '-1'],
    ['serve', '--repo', 'x', '--town', '../up'],
    ['serve', '--repo', 'x', '--colour', 'red'],
    ['keys'],
    ['keys', 'rotate'],
    ['keys', 'revoke'],
    ['keys', 'list', 'Tuzmer'],
    ['keys', 'rotate', '--town', '../up'],
    ['keys', 'rotate', '--town', ''],
    ['demo'],
    ['demo', 'x', '--port', '8123'],
    ['demo', 'x', '--ops-port', '8123'],
    ['demo', 'x', '--town', 'Tuzmer'],
    ['demo', 'x', '--scale', '0'],
    ['demo', 'x', '--scale', 'big'],
    ['adopt'],
    ['nothing'],
  ]) {
    it(`leaves with 64 for: kronika ${argv.join(' ')}`, async () => {
      const { code, calls } = await runRecorded(...argv)
      equal(code, 64)
      deepEqual(calls, [])
    })
  }

  for (const [argv, said] of [
    [['serve'], "error: required option '--repo <dir>' not specified\nsee kronika serve --help\n"],
    [['adpt'], "error: unknown command 'adpt'\n(Did you mean adopt?)\nsee kronika --help\n"],
  ] as const)
    it(`ends with the error and where help is: kronika ${argv.join(' ')}`, async () => {
      equal((await runRecorded(...argv)).said, said)
    })

  it('says under help what each exit code means, as the reference does', async () => {
    const { out } = await runRecorded('--help')
    for (const { code, meaning } of exitRows)
      equal(out.includes(`\n  ${String(code).padEnd(3)} ${meaning}\n`), true)
  })

  it('hands completion the commands and options of this program', async () => {
    const [call] = (await runRecorded('completion', 'fish')).calls
    const { shell, program } = call?.[1] as CompletionOptions
    equal(shell, 'fish')
    const token = program.commands.find(({ name }) => name === 'token')
    const mint = token?.commands.find(({ name }) => name === 'mint')
    deepEqual(
      mint?.options.map(({ names, value }) => [names.join(' '), value?._tag ?? null]),
      [
        ['--repo', 'Folder'],
        ['--state', 'Folder'],
        ['--json', null],
        ['--name', 'Text'],
        ['--capability', 'Text'],
        ['--expires-in', 'Text'],
        ['-h --help', null],
      ],
    )
    equal((await runRecorded('completion', 'tcsh')).code, 64)
  })

  for (const argv of [['--help'], ['--version'], ['serve', '--help'], ['help', 'adopt']]) {
    it(`leaves with 0 for: kronika ${argv.join(' ')}`, async () => {
      equal((await runRecorded(...argv)).code, 0)
    })
  }
})
