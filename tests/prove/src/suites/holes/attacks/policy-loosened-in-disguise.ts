/** Somebody has the key of a device and not the passkey. Each change of theirs lets more through and looks like less. */
import type { PolicyDocument } from '@countersign/contract'
import type { Attack } from '../attack.ts'
import { addPasskey, levelAfter, provenChange, sealedChange } from '../policy-scene.ts'

const mail = 'forbid (principal, action, resource) when { context.hosts.contains("mail.example") };'
const look = 'permit (principal, action, resource) when { context.tier <= 1 };'
const file = (name: string, text: string) => ({ name, text })

export const attack: Attack = {
  name: 'policy-loosened-in-disguise',
  promise: 'What lets anything more through takes the passkey once there is one, whatever it looks like.',
  mutant: 'policy-passkey-unasked',
  async run(stage) {
    const scene = await stage.ownScene()
    const passkey = await addPasskey(scene)
    const { version, document: first } = await scene.gateway.client.policy()
    const document: PolicyDocument = {
      ...first,
      autonomy: 'medium',
      files: [file('a.cedar', `@id("mail") ${mail}`), file('b.cedar', `@id("look") ${look}`)],
      passkeyTools: ['execute_shell'],
    }
    const begun = await levelAfter(scene, provenChange(scene, passkey, version.number, document))
    const { version: before } = await scene.gateway.client.policy()
    const withFiles = (...texts: string[]) => ({
      ...document,
      files: texts.map((text, at) => file(`${'abc'[at]}.cedar`, text)),
    })
    const disguised: PolicyDocument[] = [
      { ...document, autonomy: 'high' },
      { ...document, autonomy: 'full', passkeyTools: ['execute_shell', 'execute_python'] },
      { ...document, passkeyTools: ['Execute_shell', 'execute_shell_'] },
      withFiles(`@id("mail") ${mail.replace('mail', 'm\u0430il')}`, `@id("look") ${look}`),
      withFiles(`@id("mail") ${mail.replace('};', '&& context.tier > 3 };')}`, `@id("look") ${look}`),
      withFiles(`@id("look") ${mail}`, `@id("mail") ${look}`),
      withFiles(`@id("mail") // ${mail}\n${mail.replace('forbid', 'permit')}`, `@id("look") ${look}`),
      withFiles(`@id("mail") ${mail}`, `@id("look") ${look.replace('1', '2')}`),
      withFiles(`@id("mail") ${mail}`, `@id("look") ${look}`, look.replace('1', '3')),
      withFiles(`// ${mail}`, `@id("look") ${look}`),
    ]
    const seen: string[] = []
    for (const each of disguised)
      seen.push(await levelAfter(scene, sealedChange(scene, await numberIn(scene), each)))
    const open = (await numberIn(scene)) !== before.number
    const stricter = { ...document, autonomy: 'low' as const }
    const asksMore = await levelAfter(scene, sealedChange(scene, await numberIn(scene), stricter))
    const asksLess = await levelAfter(scene, provenChange(scene, passkey, before.number + 1, document))
    return {
      open,
      control: open || [begun, asksMore, asksLess].every((each) => each.endsWith('(taken)')),
      saw: [begun, ...new Set(seen), asksMore, asksLess].join('; ').slice(0, 600),
    }
  },
}

async function numberIn({ gateway }: Parameters<typeof levelAfter>[0]): Promise<number> {
  return (await gateway.client.policy()).version.number
}
