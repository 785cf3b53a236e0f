// A server that serves skills by the skills extension of the protocol, as skills.json beside it says.
const fs = require('node:fs')
const { createHash } = require('node:crypto')
const readline = require('node:readline')

const read = () => JSON.parse(fs.readFileSync(`${__dirname}/skills.json`, 'utf8'))
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const digestOf = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`

function entryOf({ uri, frontmatter, files, lies = {} }) {
  const resources = Object.entries(files).map(([at, text]) => ({
    uri: at,
    digest: lies.digest ?? digestOf(text),
    size: Buffer.byteLength(text),
  }))
  return { uri, frontmatter, resources: lies.resources ?? resources }
}

function answer(method, params) {
  const { skills, declares = true, pages = false } = read()
  const common = { resultType: 'complete', ttlMs: 1000, cacheScope: 'public' }
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: {
          resources: {},
          tools: {},
          ...(declares ? { extensions: { 'io.modelcontextprotocol/skills': {} } } : {}),
        },
        serverInfo: { name: 'skills', version: '1' },
      }
    case 'tools/list':
      return { tools: [] }
    case 'skills/list': {
      if (!pages) return { ...common, skills: skills.map(entryOf) }
      const at = Number(params?.cursor ?? 0)
      const more = at + 1 < skills.length ? { nextCursor: String(at + 1) } : {}
      return { ...common, skills: skills.slice(at, at + 1).map(entryOf), ...more }
    }
    case 'skills/get': {
      const skill = skills.find(({ uri }) => uri === params.uri)
      return skill && { ...common, skill: entryOf(skill) }
    }
    case 'resources/read': {
      const files = Object.assign({}, ...skills.map((skill) => ({ ...skill.files, ...skill.reads })))
      const text = files[params.uri]
      return text === undefined ? undefined : { contents: [{ uri: params.uri, text }] }
    }
    default:
      return undefined
  }
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answer(method, params)
  say(result ? { id, result } : { id, error: { code: -32602, message: 'There is no such thing.' } })
})
