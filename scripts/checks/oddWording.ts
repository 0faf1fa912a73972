const RULES: readonly (readonly [wording: string, instead: string])[] = [
  ['^(Who|Whose|Whom|Whoever)\\b(?!.*\\?$)', 'a noun first, such as "A user who …"'],
  ['^(What|Whatever|Wherever)(?= \\S+ \\S+ \\S)(?!.*\\?$)', 'a noun first, such as "The value that …"'],
  ['^(Of|Nor|Beside)\\b(?! course)', 'the subject first'],
  ['\\b([Nn]obody|[Ss]omebody|[Ww]hoever)\\b', 'the role: a caller, a client, a user, an operator'],
  ['\\b(the one|for|to|by|of|from|with) who\\b', 'the role: a caller, a client, a user, an operator'],
  ['\\b(anew|of before|told of|comes? to nothing)\\b', '"again", "older", "notified about", "fails"'],
]

/** Names that end in a preposition, and names of limits. Signing in and `asOf` are terms. */
const ODD_NAME =
  /^\s*(?:(?:export )?(?:async )?(?:const|let|function|interface|type)|(?:import .*)?\b\w+ as) (\w*[a-z](?:(?<![aA]s)Of|(?<!(?:[sS]ign(?:ed|ing|s)?|Built))In)|(?:MOST|LEAST|LONGEST|SHORTEST|FEWEST)(?:_\w+)?)\b/

const TITLE = /^\s*(?:(?:it|test|describe)\b.*?|[\])]+)\((['"`])(.+?)\1,/
const COMMENT = /^\s*(?:\/\/|\/?\*+\/?|\{\/\*)(?:\s+|$)/
const ITEM = /^\s*(?:[-*>]|\d+\.) /

interface Passage {
  readonly line: number
  text: string
}

/** Reads comments, test titles and declared names of a source, or paragraphs of a Markdown file. */
export function findOddWording(file: string, source: string): string[] {
  const isMarkdown = file.endsWith('.md')
  const wordings = (isMarkdown ? findParagraphs : findComments)(source).flatMap(({ line, text }) =>
    splitSentences(text).flatMap((sentence) =>
      RULES.filter(([wording]) => new RegExp(wording).test(sentence)).map(
        ([, instead]) => `${file}:${line} "${sentence.slice(0, 60)}": write ${instead}.`,
      ),
    ),
  )
  return isMarkdown ? wordings : [...wordings, ...findOddNames(file, source)]
}

const findOddNames = (file: string, source: string): string[] =>
  source.split('\n').flatMap((line, index) => {
    const [, name] = ODD_NAME.exec(line) ?? []
    if (!name) return []
    return `${file}:${index + 1} "${name}": write ${/[a-z]/.test(name) ? 'a verb first' : 'MAX or MIN'}.`
  })

/** Removes code and quoted words, because they are names. */
function splitSentences(text: string): string[] {
  const plain = text.replace(/`[^`]*`|(?<=^|[\s(])(?:'[^']*'|"[^"]*")/g, '…')
  return plain.split(/(?<=[.!?]) /).map((sentence) => sentence[0]?.toUpperCase() + sentence.slice(1))
}

function findComments(source: string): Passage[] {
  const titles: Passage[] = []
  const comments = gather(source, (line, at) => {
    const [, , title] = TITLE.exec(line) ?? []
    if (title) titles.push({ line: at, text: title })
    return COMMENT.test(line) ? line.replace(COMMENT, '').replace(/\*\/\}?$/, '') : null
  })
  return [...titles, ...comments]
}

function findParagraphs(source: string): Passage[] {
  let isCode = false
  return gather(source, (line) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    return isCode || /^\s*(?:$|#|\||```)/.test(line) ? null : line.replace(/\*\*/g, '')
  })
}

/** A list item starts a passage; `read` returns null for a line between passages. */
function gather(source: string, read: (line: string, at: number) => string | null): Passage[] {
  const passages: Passage[] = []
  let open: Passage | null = null
  for (const [index, line] of source.split('\n').entries()) {
    const text = read(line, index + 1)
    if (!text?.trim()) open = null
    else if (open && !ITEM.test(text)) open.text += ` ${text.trim()}`
    else {
      open = { line: index + 1, text: text.replace(ITEM, '').trim() }
      passages.push(open)
    }
  }
  return passages
}
