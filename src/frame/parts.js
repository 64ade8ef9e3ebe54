// Parts of the page that an author can leave out by name (`hide=`), and where they stand. Names of constants count, too.
export const PARTS = {
  script: '#script',
  requests: '.requests-fold',
  presets: '.presets, #preset-look',
  exercises: '#exercises',
  predict: '#predict',
  printout: '#printout',
  guide: '.intro, .guide',
  whole: '#whole',
};
