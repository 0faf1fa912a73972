export const isWideScreen = () => matchMedia('(min-width: 60rem)').matches
