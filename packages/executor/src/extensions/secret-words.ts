/**
 * Owns which words ask for what no server may be told by a form: passwords, tokens, keys, codes, card numbers. It is a
 * list and no understanding, so it says no rather too often, and what a question shows is marked as a stranger's besides.
 */

/** Whether the words of a field ask for such a thing, in whatever way they are written. */
export function asksForSecret(text: string): boolean {
  const plain = plainLetters(text)
  const words = spellings(plain.replace(harmless, ' ')).flatMap(wordsOf)
  return words.some((word) => secretWord.test(word)) || saysSqueezed(plain)
}

/** The same of the sentence above the fields, which may speak of keys and codes without wanting yours. */
export function wantsSecret(text: string): boolean {
  const plain = plainLetters(text)
  const spelled = spellings(plain.replace(harmless, ' '))
  return saysSqueezed(plain) || spelled.some((each) => wanted.test(wordsOf(each).join(' ')))
}

/** Postal codes and the like. */
const harmless =
  /\b(?:zip|postal|post|country|currency|language|area|airport|colou?r|lander|wahrungs|sprach)[\s_-]?codes?\b/g

const secretWord = new RegExp(
  `^(?:${[
    'keys?',
    '(?:[a-z]*)(?:api|access|private|secret|public|ssh|licen[cs]e|product|session|auth|crypt|master|sign)keys?',
    'passkeys?',
    '[a-z]*tokens?',
    '[a-z]*secrets?',
    '[a-z]*code',
    '[a-z]*codes',
    'pins?',
    'pin[0-9]+',
    'puk',
    'tans?',
    '[a-z]*otps?',
    'mfa',
    '2fa',
    'cvv2?',
    'cvc2?',
    'csc',
    'pwd',
    'pw',
    'pass',
    'passwd',
    'jwt',
    'bearer',
    'cookies?',
    'mnemonic',
    'ssn',
    '[a-z]*schlussel',
    '[a-z]*schluessel',
    '[a-z]*geheimnis',
    'clave',
    'cle',
    'senha',
    'heslo',
    'haslo',
    'parola',
    'chiave',
  ].join('|')})$`,
)

/** Long enough to mean themselves wherever they stand, also with something between their letters. */
const squeezed = `
  password passwort kennwort passphrase passcode passwd pa55w motdepasse contrasena wachtwoord
  losenord geheimzahl geheimnummer geheimwort zugangsdaten anmeldedaten credential privatekey
  secretkey apikey accesskey accesstoken authtoken bearertoken refreshtoken clientsecret seedphrase
  recoveryphrase recoverycode securitycode verificationcode onetimecode authenticationcode
  authorizationcode sicherheitscode bestatigungscode einmalcode creditcard debitcard cardnumber cardno
  kreditkarte kartennummer kartennr prufnummer prufziffer socialsecurity пароль парол 密码 密碼 口令 パスワード
  비밀번호 كلمةالمرور`
  .trim()
  .split(/\s+/)

const wanted =
  /\b(?:your|dein|deine|deinen|ihr|ihre|ihren|enter|type|paste|eingeben)(?: [a-z]+){0,3} (?:keys?|tokens?|secrets?|codes?|pin|puk|tan|otp|cvv|cvc|[a-z]*schlussel)\b/

function saysSqueezed(plain: string): boolean {
  const letters = plain.replaceAll(/[^\p{L}\p{N}@$!]/gu, '')
  const meant = asMeant(letters)
  return squeezed.some((word) => letters.includes(word) || meant.includes(word))
}

const lookalikes: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '!': 'i',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
}

const asMeant = (text: string): string => text.replaceAll(/[@$!01345]/g, (sign) => lookalikes[sign] ?? sign)

/** As it is written, as `t0ken` is meant, and as `P I N` is read. */
function spellings(plain: string): readonly string[] {
  const joined = plain.replaceAll(aloneBeforeAnother, '$1')
  return [plain, joined, asMeant(plain), asMeant(joined)]
}

const aloneBeforeAnother = /(?<![\p{L}\p{N}])([\p{L}\p{N}])[^\p{L}\p{N}]+(?=[\p{L}\p{N}](?![\p{L}\p{N}]))/gu

/** `apiKey`, `api_key` and `API-KEY` are the same words. */
function wordsOf(plain: string): readonly string[] {
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** In small letters without marks, and without anything that is not seen. */
function plainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .normalize('NFD')
    .replaceAll(/[\p{M}\p{Cf}\p{Cc}\u{115f}\u{1160}\u{3164}\u{2800}]/gu, (sign) =>
      /[\t\n\r]/.test(sign) ? ' ' : '',
    )
    .toLowerCase()
    .replaceAll('ł', 'l')
}
