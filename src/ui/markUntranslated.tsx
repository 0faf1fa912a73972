export const markUntranslated = (text: string) => <span translate="no">{text}</span>
