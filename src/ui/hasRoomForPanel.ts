export const hasRoomForPanel = () => matchMedia('(min-width: 60rem)').matches
