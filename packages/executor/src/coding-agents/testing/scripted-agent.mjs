/**
 * A real coding agent for tests, on the agent side of the protocol: it asks the model service what to do, and does it with
 * a shell. Started by Node.js inside the sandbox; what it is told to do is in the answers of the model. Never for use
 * outside tests.
 */
import { execFile } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import * as acp from './sdk/dist/v1/stable/acp.js'

const run = (command) =>
  new Promise((resolve) => {
    execFile('/bin/sh', ['-c', command], { timeout: 20_000 }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}${error ? `[${error.code ?? error.signal}]` : ''}`),
    )
  })

async function ask(messages) {
  const answer = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    body: JSON.stringify({
      model: process.env.OPENAI_MODEL,
      messages,
      tools: [{ type: 'function', function: { name: 'sh', parameters: { type: 'object', properties: {} } } }],
    }),
  })
  if (!answer.ok) throw new Error(`the model said ${answer.status}: ${await answer.text()}`)
  return (await answer.json()).choices[0].message
}

async function work({ params: { sessionId, prompt }, client }) {
  const messages = [{ role: 'user', content: prompt[0].text }]
  const say = (text) =>
    client.notify('session/update', {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    })
  for (;;) {
    const message = await ask(messages)
    messages.push(message)
    if (!message.tool_calls) {
      await say(message.content)
      return { stopReason: 'end_turn' }
    }
    for (const call of message.tool_calls) {
      const { command, permission, flood } = JSON.parse(call.function.arguments)
      if (flood) for (;;) await say('x'.repeat(100_000))
      const told = permission ? await permitted(client, sessionId, permission) : await worked(command)
      messages.push({ role: 'tool', tool_call_id: call.id, content: told })
    }
  }

  async function worked(command) {
    await client.notify('session/update', {
      sessionId,
      update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: command, kind: 'execute' },
    })
    return run(command)
  }
}

async function permitted(client, sessionId, { title, kind, path }) {
  const { outcome } = await client.request('session/request_permission', {
    sessionId,
    toolCall: { toolCallId: 'p', title, kind, ...(path ? { locations: [{ path }] } : {}) },
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  })
  return `permission: ${outcome.optionId ?? outcome.outcome}`
}

acp
  .agent({ name: 'scripted' })
  .onRequest('initialize', () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest('session/new', () => ({ sessionId: 'one' }))
  .onRequest('session/prompt', work)
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
