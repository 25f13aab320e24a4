<?php
/**
 * Cards of Create by Mediavine, which keeps what is published of a card as JSON in a table of its own.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Cards;

final class Create {

	/** In minutes; a duration is kept in these parts. */
	const PARTS = array(
		'days'    => 1440,
		'hours'   => 60,
		'minutes' => 1,
	);

	public static function facts( int $id ): ?array {
		$card = is_callable( 'mv_create_get_creation' ) ? mv_create_get_creation( $id, true ) : null;
		if ( ! is_object( $card ) || 'list' === ( $card->type ?? '' ) || '' === (string) ( $card->title ?? '' ) ) {
			return null;
		}
		return array(
			'name'         => (string) $card->title,
			'anchor'       => 'mv-creation-' . $id,
			'ingredients'  => self::ingredients( $card->ingredients ?? null ),
			'totalMinutes' => self::minutes( $card->total_time ?? 0 ),
			'yield'        => (string) ( $card->yield ?? '' ),
		);
	}

	/** Groups by their names, each a list of lines. Of a line with a link the words in brackets are what is linked. */
	private static function ingredients( $groups ): array {
		$texts = array();
		foreach ( (array) $groups as $lines ) {
			foreach ( (array) $lines as $line ) {
				$text    = (string) ( $line->original_text ?? '' );
				$texts[] = empty( $line->link ) ? $text : preg_replace( '/\[(.*)\]/', '$1', $text );
			}
		}
		return $texts;
	}

	/** Parts of a duration, or seconds from cards of old versions. */
	private static function minutes( $time ): int {
		if ( ! is_object( $time ) ) {
			return intdiv( (int) $time, 60 );
		}
		$minutes = 0;
		foreach ( self::PARTS as $name => $each ) {
			$minutes += (int) ( $time->$name ?? 0 ) * $each;
		}
		return $minutes;
	}
}
