import { facePath } from './pictures.ts';

/** Followers a person can play, with the names that break lists. `name` and `username` are made up. */
export const demoFollowers = [
  { id: 'maya', username: 'maya.cooks.late', name: 'Maya Okonkwo', follows: true, followersCount: 812 },
  { id: 'jonas', username: 'jonas_brotzeit', name: 'Jonas Hübner', follows: true, followersCount: 240 },
  { id: 'lucia', username: 'lucia.enlacocina', name: 'Lucía Fernández', follows: true, followersCount: 1_930 },
  { id: 'layla', username: 'layla_alkhatib', name: 'ليلى الخطيب', follows: true, followersCount: 388 },
  { id: 'noam', username: 'noam.bari', name: 'נועם בר־אילן', follows: false, followersCount: 97 },
  { id: 'emoji', username: '_.pip.pa._', name: '🍓✨ pippa ✨🍓', follows: true, followersCount: 5_204 },
  {
    id: 'grandma',
    username: 'annemarie.von.hohenberg1948',
    name: 'Annemarie Elisabeth von Hohenberg-Wolkenstein (Oma)',
    follows: true,
    followersCount: 31,
  },
  { id: 'kwame', username: 'kwame.eats', name: 'Kwame Mensah', follows: false, followersCount: 152 },
  { id: 'mei', username: 'mei_next_door', name: 'Mei', follows: true, followersCount: 466 },
].map((person) => ({ ...person, picture: facePath(person.id) }));

/** Everybody else who comments; ids begin with `crowd-`, and the phone does not offer them to play. */
export const demoCrowd = [
  'Sofia Marchetti',
  'Tom Ellery',
  'Ingrid Dahl',
  'Beatriz Lopes',
  'Marek Nowak',
  'Aisha Rahman',
  'Oliver Quist',
  'Hanna Virtanen',
  'Dev Patel',
  'Camille Roux',
  'Zoe Park',
  'Paulo Freitas',
  'Elif Kaya',
  'Ronan Byrne',
  'Yuki Mori',
  'Nadia Petrova',
  'Gus Carver',
  'Amara Diallo',
].map((name) => {
  const username = name.toLowerCase().replace(' ', '.');
  return { id: `crowd-${username.replace('.', '-')}`, username, name };
});

const FIRST_NAMES =
  'Ada Alba Amir Anouk Arlo Ayla Bea Bruno Cleo Cora Dana Diego Edda Elio Esme Farah Finn Freya Gia Hugo Ida Iris Ivo Jana Jude Kai Kira Lars Leila Lena Liam Lina Luca Mabel Maren Mateo Mila Milo Nala Nico Nina Noa Nora Olive Omar Oscar Otto Paula Pia Remy Rhea Rosa Ruben Sami Selma Skye Tara Theo Uma Vera Willa Yara Zain'.split(
    ' ',
  );
const LAST_NAMES =
  'Abbott Baker Bianchi Brandt Castillo Chen Costa Dubois Eriksen Faber Fontaine Garcia Greco Haddad Hansen Ibsen Ito Janssen Kaplan Khan Kowalski Larsen Leroy Lindgren Lopes Mancini Meyer Moreau Novak Okafor Olsen Ortega Pham Quinn Rossi Sato Silva Tan Torres Weber'.split(
    ' ',
  );

/** Those who commented in the last sixty days, besides those above. */
export const pastCrowd = LAST_NAMES.flatMap((last, row) =>
  FIRST_NAMES.filter((_, index) => (index + row) % 2 === 0).map((first, index) => {
    const number = (row * 7 + index * 3) % 90;
    const username = `${first}.${last}${number < 40 ? number : ''}`.toLowerCase();
    return { id: `past-${first}-${last}`.toLowerCase(), username, name: `${first} ${last}` };
  }),
);
