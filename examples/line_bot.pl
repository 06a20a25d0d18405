#!/usr/bin/perl
# A bot in another language: it plays any game of the house, at random.
# Copy it, and change what it does with the list of moves.
use strict;
use warnings;
use JSON::PP;    # comes with Perl

$| = 1;          # every line is sent at once
my $json = JSON::PP->new->canonical;

while (my $line = <STDIN>) {
    my $question = decode_json($line);
    if ($question->{type} eq 'start') {
        srand($question->{seed});    # the same lots again when the game is played again
        answer({ type => 'ready' });
    }
    elsif ($question->{type} eq 'choose') {
        my @moves = @{ $question->{moves} };
        answer({ type => 'move', move => $moves[ rand @moves ] });
    }
}

sub answer {
    my ($answer) = @_;
    print $json->encode($answer), "\n";
}
