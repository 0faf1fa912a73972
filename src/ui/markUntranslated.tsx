/** Marks a text within a sentence, so that the browser's translator leaves it as it is. */
export const markUntranslated = (text: string) => <span translate="no">{text}</span>
