/** Signs e-mails as the server of a domain does, for tests. */
import { dkimSign } from 'mailauth/lib/dkim/sign.js'

export async function signedMail(
  raw: Buffer,
  { domain, privateKey }: { readonly domain: string; readonly privateKey: string },
): Promise<Buffer> {
  const { signatures } = await dkimSign(raw, {
    signatureData: [{ signingDomain: domain, selector: 'one', privateKey }],
  } as Parameters<typeof dkimSign>[1])
  return Buffer.concat([Buffer.from(signatures), raw])
}
