// A server that behaves badly when it is asked to. It speaks the protocol by hand, so that it can also break it.
const fs = require('node:fs')
const readline = require('node:readline')

const version = process.env.ODD_VERSION ?? '1'
const tools = ['flood', 'endless', 'drip', 'hang', 'die', 'garbage', 'stderr', 'list', 'fine'].map(
  (name) => ({
    name,
    description: name === 'fine' ? `Says fine, version ${version}.` : `Does ${name}.`,
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, destructiveHint: false },
  }),
)
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (id, words) => say({ id, result: { content: [{ type: 'text', text: words }] } })

function pour(chunk) {
  while (process.stdout.write(chunk));
  process.stdout.once('drain', () => pour(chunk))
}

function call(id, name, token) {
  switch (name) {
    case 'flood':
      return pour(`${'x'.repeat(65536)}\n`)
    case 'endless':
      return pour('x'.repeat(65536))
    case 'drip':
      return void setInterval(
        () =>
          say({ method: 'notifications/progress', params: { progressToken: token, progress: Date.now() } }),
        20,
      )
    case 'hang':
      return
    case 'die':
      return process.exit(3)
    case 'garbage':
      process.stdout.write('this is no message\n{"jsonrpc":"2.0","id":999,"result":{}}\n[]\nnull\n{}\n')
      return text(id, 'after garbage')
    case 'stderr':
      fs.writeSync(2, 'y'.repeat(10_000_000))
      return text(id, 'after noise')
    default:
      return text(id, `fine ${version}`)
  }
}

if (process.env.ODD_START === 'die') {
  process.stderr.write('I cannot start without a token.\n')
  process.exit(2)
}
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (process.env.ODD_START === 'hang') return
  if (method === 'initialize')
    say({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'odd', version },
      },
    })
  else if (method === 'tools/list') say({ id, result: { tools } })
  else if (method === 'tools/call') call(id, params.name, params._meta?.progressToken)
})
