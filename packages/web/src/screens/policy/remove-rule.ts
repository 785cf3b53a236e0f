/** Owns taking one rule out of a draft. The rest of its file stays as it was written; a file with nothing left goes with it. */
import type { PolicyDocument, PolicyRuleView } from '@countersign/contract'

type Placed = Pick<PolicyRuleView, 'file' | 'text'>

export function holdsRule({ files }: Pick<PolicyDocument, 'files'>, { file, text }: Placed): boolean {
  return files.some((each) => each.name === file && each.text.includes(text))
}

export function withoutRule({ files }: Pick<PolicyDocument, 'files'>, rule: Placed): PolicyDocument['files'] {
  return files.flatMap((each) => {
    if (!holdsRule({ files: [each] }, rule)) return [each]
    const at = each.text.indexOf(rule.text)
    const rest = `${each.text.slice(0, at)}${each.text.slice(at + rule.text.length).replace(/^[ \t]*\n/, '')}`
    return rest.trim() === '' ? [] : [{ ...each, text: rest }]
  })
}
