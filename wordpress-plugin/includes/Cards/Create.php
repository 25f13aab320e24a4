<?php
/**
 * Cards of Create by Mediavine, which keeps what is published of a card as JSON in a table of its own.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Cards;

final class Create {

	const NO_GROUP = 'mv-has-no-group';
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
			'groups'       => self::groups( $card->ingredients ?? null ),
			'totalMinutes' => self::minutes( $card->total_time ?? 0 ),
			'yield'        => (string) ( $card->yield ?? '' ),
		);
	}

	/** All that is published of a card, as JSON; '' where there is none. */
	public static function published( int $id ): string {
		$card = is_callable( 'mv_create_get_creation' ) ? mv_create_get_creation( $id, true ) : null;
		return is_object( $card ) ? (string) wp_json_encode( $card, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE ) : '';
	}

	/** Groups by their names, each a list of lines. Of a line with a link the words in brackets are what is linked. */
	private static function groups( $groups ): array {
		$found = array();
		foreach ( (array) $groups as $name => $entries ) {
			$lines = array();
			foreach ( (array) $entries as $line ) {
				$text    = (string) ( $line->original_text ?? '' );
				$lines[] = array(
					'text' => empty( $line->link ) ? $text : preg_replace( '/\[(.*)\]/', '$1', $text ),
					'uid'  => is_scalar( $line->id ?? null ) ? (string) $line->id : '',
				);
			}
			$found[] = array(
				'name'  => self::NO_GROUP === $name || is_int( $name ) ? '' : $name,
				'lines' => $lines,
			);
		}
		return $found;
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
