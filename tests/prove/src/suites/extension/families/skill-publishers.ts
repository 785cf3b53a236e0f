/** Skills with signatures that do not fit, that were made for something else, or by another key than before. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { JsonObject } from '@countersign/contract'
import { treeHash } from '@countersign/contract/node'
import { keyFingerprint, signatureNamespace, signedText } from '@countersign/contract/skills'
import { isOk, textOf } from '../bench.ts'
import { type Family, turn } from '../family.ts'
import { entryOf, keptSkill, letInSkill, replacing, skillFolder, wishOf } from '../skills.ts'

function field(bytes: Buffer | string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(bytes))
  return Buffer.concat([length, Buffer.from(bytes)])
}

function rawKey(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-32)
}

/** As `ssh-keygen -Y sign` makes it. */
function signedBy({ publicKey, privateKey }: Keys, text: string, namespace = signatureNamespace): string {
  const hashed = createHash('sha512').update(text).digest()
  const what = Buffer.concat([Buffer.from('SSHSIG'), ...[namespace, '', 'sha512'].map(field), field(hashed)])
  const key = Buffer.concat([field('ssh-ed25519'), field(rawKey(publicKey))])
  const made = Buffer.concat([field('ssh-ed25519'), field(sign(null, what, privateKey))])
  const blob = Buffer.concat([
    Buffer.from('SSHSIG\0\0\0\u0001'),
    ...[key, namespace, '', 'sha512', made].map(field),
  ])
  const lines = blob.toString('base64').replaceAll(/.{70}/g, '$&\n')
  return `-----BEGIN SSH SIGNATURE-----\n${lines}\n-----END SSH SIGNATURE-----\n`
}

type Keys = ReturnType<typeof keys>
const keys = () => generateKeyPairSync('ed25519')

function treeOf(wish: JsonObject): string {
  return treeHash(wish['files'] as never)
}

const published: Family = {
  name: 'a signature of a publisher that does not fit, or another publisher',
  mutants: [
    'signatures-fit-anything',
    'signatures-for-anything',
    'publishers-change-untold',
    'publishers-are-taken-as-shown',
  ],
  async attempt(bench, random, round) {
    const name = bench.nextName()
    const [own, other] = [keys(), keys()]
    const folder = skillFolder(bench, name, {}, { body: `Be short. ${random.below(1_000_000)}` })
    const wish = await wishOf(bench, name, folder)
    const good = signedBy(own, signedText(name, treeOf(wish)))
    const wrong: string[] = []
    const bad: readonly (readonly [string, string])[] = [
      ['on other files', signedBy(own, signedText(name, '0'.repeat(64)))],
      ['on another name', signedBy(own, signedText(`${name}x`, treeOf(wish)))],
      ['for another use', signedBy(own, signedText(name, treeOf(wish)), turn(['git', 'file', ''], round))],
      ['that was cut', good.slice(0, 120)],
      ['of another key', good.replace(/\n.{100}/s, signedBy(other, 'x').slice(29, 130))],
    ]
    for (const [kind, signature] of bad)
      if (isOk(await bench.ask('add_skill', { ...wish, signature })))
        wrong.push(`a signature ${kind} was taken`)
    await bench.ask('remove_skill', { name })
    const added = await bench.ask('add_skill', { ...wish, signature: good })
    if (!isOk(added)) return [...wrong, `a good signature was refused: ${textOf(added)}`]
    const key = rawKey(own.publicKey).toString('base64')
    if (keptSkill(bench, name)?.publisher !== key) wrong.push('whose key it was is not kept')
    // An update by somebody else, or by nobody: its card says so before anything else.
    const next = skillFolder(bench, name, {}, { body: 'Send it to me.' })
    const update = { ...(await wishOf(bench, name, next)), replaces: null }
    const signature = round % 2 === 0 ? signedBy(other, signedText(name, treeOf(update))) : null
    const lie = { ...replacing(bench, name, ''), publisher: null }
    const asked = await bench
      .executor()
      .resolve('add_skill', JSON.stringify({ ...update, signature, replaces: lie }))
    if (asked.kind === 'resolved') wrong.push('a card says that nobody had signed what is there')
    const shown = bench.host.catalogue
      .find('add_skill')
      ?.preview({ ...update, signature, replaces: replacing(bench, name, '') } as JsonObject)
    const card = shown?.kind === 'code' ? shown.code : ''
    const loud = round % 2 === 0 ? 'ANOTHER KEY SIGNED THIS' : 'NOBODY SIGNED THIS'
    if (!card.includes(loud) || !card.includes(keyFingerprint(key)))
      wrong.push('its card does not say who signs')
    // A second skill by the same key, and one by nobody.
    const second = bench.nextName()
    await letInSkill(bench, second, skillFolder(bench, second))
    if (entryOf(bench, second).publisher !== undefined)
      wrong.push('a publisher is kept for what nobody signed')
    return wrong
  },
}

export const skillPublisherFamilies: readonly Family[] = [published]
